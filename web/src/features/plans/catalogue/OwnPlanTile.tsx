import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import { IconPencilPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import classes from './RequestProviderTile.module.css'

/** A tile for a plan of any service, whose name the form begins with if it was searched for. */
export function OwnPlanTile({ service }: { service?: string }) {
  return (
    <Link to="/create/own" search={{ service }} className={classes.tile} style={{ borderStyle: 'dashed' }}>
      <span className={classes.icon}>
        <IconPencilPlus size={26} stroke={1.8} aria-hidden />
      </span>
      <span>
        <Text component="span" display="block" fw={650} lh={1.25}>
          {t`Something else`}
        </Text>
        <Text component="span" display="block" size="sm" c="dimmed" lh={1.35}>
          {t`Any service, with people you know`}
        </Text>
      </span>
    </Link>
  )
}
