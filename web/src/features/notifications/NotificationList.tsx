import { Button, Group, ScrollArea, Stack, Text, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { EmptyState } from '#ui/EmptyState.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { NotificationRow } from './NotificationRow.tsx'
import { type Notification, unreadCount } from './notification.ts'
import { useMarkRead } from './notifications.mutations.ts'

interface NotificationListProps {
  userId: string
  notifications: UseQueryResult<Notification[]>
  onLeave: () => void
}

/** What the bell opens: the list, newest first, or why there is none. */
export function NotificationList({ userId, notifications, onLeave }: NotificationListProps) {
  const markRead = useMarkRead(userId)
  const { data: list, isPending, refetch } = notifications
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
          disabled={unreadCount(list ?? []) === 0}
          onClick={() => markRead.mutate(null)}
        >
          Mark all read
        </Button>
      </Group>
      <ScrollArea.Autosize mah="min(480px, 64vh)" type="auto">
        {list?.map((notification) => (
          <NotificationRow
            key={notification.id}
            notification={notification}
            onRead={() => markRead.mutate([notification.id])}
            onLeave={onLeave}
          />
        ))}
        {list?.length === 0 && (
          <EmptyState title="No notifications yet">
            You hear from us here when something happens to your plans.
          </EmptyState>
        )}
        {isPending && (
          <Stack p="md">
            <RowsSkeleton rows={3} />
          </Stack>
        )}
        {!list && !isPending && (
          <Stack p="md" align="flex-start" role="alert">
            <Text>Failed to load notifications</Text>
            <Button variant="secondary" onClick={() => void refetch()}>
              Try Again
            </Button>
          </Stack>
        )}
      </ScrollArea.Autosize>
    </>
  )
}
