import { useQueryClient } from '@tanstack/react-query'
import { useLive } from '#lib/live.ts'
import { local, read, storageKeys, write } from '#lib/storage.ts'
import { toast } from '#ui/toasts.ts'
import { type Notification, toNotification, withNew } from './notification.ts'
import { notificationKeys } from './notifications.queries.ts'

/** New notifications arrive on top, with a toast; a changed one reloads the list. */
export function useLiveNotifications(userId: string): void {
  const cache = useQueryClient()
  const queryKey = notificationKeys.of(userId)
  const filter = `user_id=eq.${userId}`
  const reload = () => void cache.invalidateQueries({ queryKey })

  useLive(
    'user-notifications',
    [
      { table: 'user_notifications', event: 'INSERT', filter },
      { table: 'user_notifications', event: 'UPDATE', filter },
    ],
    {
      onChange: (change) => {
        if (change.eventType !== 'INSERT') return reload()
        const arrived = toNotification(change.new)
        const list = cache.getQueryData<Notification[]>(queryKey)
        if (list) cache.setQueryData(queryKey, withNew(list, arrived))
        else reload()
        if (toastsAreOn()) toast(arrived.kind, arrived.title, arrived.message)
      },
      onJoined: reload,
    },
  )
}

/** The flag has to say "true", which is what it says until someone decides otherwise. */
function toastsAreOn(): boolean {
  if (read(local, storageKeys.notificationsEnabled) === null)
    write(local, storageKeys.notificationsEnabled, 'true')
  return read(local, storageKeys.notificationsEnabled) === 'true'
}
