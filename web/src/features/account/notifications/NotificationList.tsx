import { Button, Group, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PopoverList } from '#ui/PopoverList.tsx'
import { NotificationRow } from './NotificationRow.tsx'
import { unreadCount } from './notification.ts'
import { useMarkRead } from './notifications.mutations.ts'
import { notificationsQuery } from './notifications.queries.ts'

interface NotificationListProps {
  userId: string
  onLeave: () => void
}

/** What the bell opens: the notifications, newest first, or why there are none. */
export function NotificationList({ userId, onLeave }: NotificationListProps) {
  const notifications = useQuery(notificationsQuery(userId))
  const markRead = useMarkRead(userId)
  return (
    <>
      <Group justify="space-between" wrap="nowrap" px="md" py={8} mih={56}>
        <Title order={2} size="h4">
          Notifications
        </Title>
        <Button
          variant="ghost"
          px="xs"
          fz="sm"
          disabled={unreadCount(notifications.data ?? []) === 0}
          onClick={() => markRead.mutate(null)}
        >
          Mark all read
        </Button>
      </Group>
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
          <EmptyState title="No notifications yet">
            You hear from us here when something happens to your plans.
          </EmptyState>
        }
        failed="Failed to load notifications"
      />
    </>
  )
}
