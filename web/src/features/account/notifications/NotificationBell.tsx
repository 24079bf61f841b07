import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { BadgePopover } from '#ui/BadgePopover.tsx'
import { NotificationList } from './NotificationList.tsx'
import { unreadCount } from './notification.ts'
import { useLiveNotifications } from './notifications.live.ts'
import { notificationsQuery } from './notifications.queries.ts'

/** The bell with its unread count, and what it opens. Mounted once, it also brings the live toasts. */
export function NotificationBell({ userId }: { userId: string }) {
  const notifications = useQuery(notificationsQuery(userId))
  useLiveNotifications(userId, notifications.data)
  return (
    <BadgePopover
      icon={<IconBell size={22} />}
      label="Notifications"
      count={unreadCount(notifications.data ?? [])}
    >
      {(close) => <NotificationList userId={userId} onLeave={close} />}
    </BadgePopover>
  )
}
