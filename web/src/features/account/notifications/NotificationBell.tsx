import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { isEarlier } from '#lib/loaded-at.ts'
import { BadgePopover } from '#ui/BadgePopover.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PopoverList } from '#ui/PopoverList.tsx'
import { NotificationRow } from './NotificationRow.tsx'
import { unreadCount } from './notification.ts'
import { useLiveNotifications } from './notifications.live.ts'
import { useMarkRead } from './notifications.mutations.ts'
import { notificationsQuery } from './notifications.queries.ts'

/** The bell with its unread count and its list. Mount it once: it also shows toasts for new notifications. */
export function NotificationBell({ userId }: { userId: string }) {
  const notifications = useQuery(notificationsQuery(userId))
  const count = unreadCount(notifications.data ?? [])
  const markRead = useMarkRead(userId)
  // News that came since an earlier visit is no toast.
  useLiveNotifications(userId, isEarlier(notifications.dataUpdatedAt) ? undefined : notifications.data)
  return (
    <BadgePopover
      icon={<IconBell size={22} />}
      label={t`Notifications`}
      count={count}
      action={
        <Button variant="ghost" px="xs" fz="sm" disabled={count === 0} onClick={() => markRead.mutate(null)}>
          {t`Mark all read`}
        </Button>
      }
    >
      {(close) => <NotificationList userId={userId} onLeave={close} />}
    </BadgePopover>
  )
}

/** The list behind the bell: the notifications, newest first, or why there are none. */
function NotificationList({ userId, onLeave }: { userId: string; onLeave: () => void }) {
  const notifications = useQuery(notificationsQuery(userId))
  const markRead = useMarkRead(userId)
  return (
    <PopoverList
      list={notifications}
      row={(notification) => (
        <NotificationRow
          key={notification.id}
          notification={notification}
          onRead={() => markRead.mutate([notification.id])}
          onLeave={onLeave}
        />
      )}
      empty={
        <EmptyState title={t`No notifications yet`}>{t`News about your plans appears here.`}</EmptyState>
      }
      failed={t`Failed to load notifications`}
    />
  )
}
