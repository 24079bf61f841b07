import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { CategoryChoice } from '#domain/catalogue.ts'
import classes from './RequestProviderTile.module.css'

/** The last tile of the provider step, a link to request a missing provider. */
export function RequestProviderTile({ category }: { category: CategoryChoice }) {
  return (
    <Link
      to="/request-provider"
      search={{ category }}
      className={classes.tile}
      style={{ borderStyle: 'dashed' }}
    >
      <span className={classes.icon}>
        <IconPlus size={26} stroke={1.8} aria-hidden />
      </span>
      <span>
        <Text component="span" display="block" fw={650} lh={1.25}>
          {t`Request Provider`}
        </Text>
        <Text component="span" display="block" size="sm" c="dimmed" lh={1.35}>
          {t`Missing one? Request it`}
        </Text>
      </span>
    </Link>
  )
}
