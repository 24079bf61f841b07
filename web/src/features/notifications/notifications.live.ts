import { useQueryClient } from '@tanstack/react-query'
import { putInto } from '#lib/cache.ts'
import { useLive } from '#lib/live.ts'
import { local, read, storageKeys, write } from '#lib/storage.ts'
import { toast } from '#ui/toasts.ts'
import { toNotification } from './notification.ts'
import { notificationKeys } from './notifications.queries.ts'

/** New notifications arrive on top, with a toast; a changed one reloads the list. */
export function useLiveNotifications(userId: string): void {
  const cache = useQueryClient()
  const queryKey = notificationKeys.of(userId)
  const filter = `user_id=eq.${userId}`
  useLive(
    'user-notifications',
    [
      { table: 'user_notifications', event: 'INSERT', filter },
      { table: 'user_notifications', event: 'UPDATE', filter },
    ],
    {
      keys: [queryKey],
      soon: 0,
      use: ({ eventType, new: row }) => {
        if (eventType !== 'INSERT') return false
        const arrived = toNotification(row)
        putInto(cache, queryKey, arrived, () => true)
        if (toastsAreOn()) toast(arrived.kind, arrived.title, arrived.message)
        return cache.getQueryData(queryKey) !== undefined
      },
    },
  )
}

/** The flag has to say "true", which is what it says until someone decides otherwise. */
function toastsAreOn(): boolean {
  if (read(local, storageKeys.notificationsEnabled) === null)
    write(local, storageKeys.notificationsEnabled, 'true')
  return read(local, storageKeys.notificationsEnabled) === 'true'
}
