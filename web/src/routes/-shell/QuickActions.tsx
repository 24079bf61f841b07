import { ActionIcon, Menu } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useSession } from '#lib/session.ts'
import { useNavigation } from './navigation.ts'
import classes from './Shell.module.css'

/** Screens with room for it; the others have a floating button or a composer of their own. */
const shownOn = new Set(['/', '/my-subscriptions', '/about'])

/** The floating menu of a phone. */
export function QuickActions() {
  const session = useSession()
  const { pathname } = useLocation()
  const { quick } = useNavigation('signed-in')
  if (session.status !== 'signed-in' || !shownOn.has(pathname) || quick.length === 0) return null

  return (
    <div className={classes.quick}>
      <Menu position="top-end" width={220} radius="lg" shadow="md" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon size={56} radius={28} variant="filled" color="clay" aria-label="Quick actions">
            <IconPlus size={26} />
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
    </div>
  )
}
