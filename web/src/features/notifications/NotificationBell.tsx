import { ActionIcon, Indicator, Popover } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { cappedCount } from '#ui/CountBadge.tsx'
import { NotificationList } from './NotificationList.tsx'
import { unreadCount } from './notification.ts'
import { useLiveNotifications } from './notifications.live.ts'
import { notificationsQuery } from './notifications.queries.ts'

/** The bell with its unread count, and what it opens (NOTIF-01). Mounted once, it also brings the live toasts. */
export function NotificationBell({ userId }: { userId: string }) {
  const [opened, popover] = useDisclosure(false)
  const notifications = useQuery(notificationsQuery(userId))
  useLiveNotifications(userId)
  const unread = unreadCount(notifications.data ?? [])
  const label = unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`

  return (
    <Popover
      opened={opened}
      onChange={popover.toggle}
      position="bottom-end"
      width="min(380px, calc(100vw - 24px))"
      withinPortal={false}
      trapFocus
      returnFocus
    >
      <Indicator label={cappedCount(unread)} size={18} offset={8} color="clay" disabled={unread === 0}>
        <Popover.Target>
          <ActionIcon onClick={popover.toggle} aria-label={label}>
            <IconBell size={22} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0} style={{ overflow: 'hidden' }}>
        <NotificationList userId={userId} notifications={notifications} onLeave={popover.close} />
      </Popover.Dropdown>
    </Popover>
  )
}
