import { t } from '@lingui/core/macro'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useNavigation } from './navigation.ts'
import classes from './Shell.module.css'

/** The floating menu on a phone, in the gap in the middle of the bottom bar. */
export function QuickActions() {
  const { quick } = useNavigation('signed-in')
  return (
    <nav className={classes.quick} aria-label={t`Quick`}>
      <Menu
        withinPortal={false}
        position="top-end"
        width={220}
        radius="lg"
        shadow="md"
        withInitialFocusPlaceholder={false}
      >
        <Menu.Target>
          <ActionIcon size={52} radius={26} variant="filled" color="clay" aria-label={t`Quick actions`}>
            <IconDots size={26} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {quick.map(({ label, to, icon: Icon }) => (
            <Menu.Item key={to} component={Link} to={to} mih={48} leftSection={<Icon size={20} />}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </nav>
  )
}
