import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '#lib/errors.ts'
import { read } from '#lib/supabase.ts'
import { type Notification, toNotification } from './notification.ts'

export const notificationKeys = { of: (userId: string) => ['notifications', userId] } as const

/** All of a person's notifications, newest first. */
export const notificationsQuery = (userId: string) =>
  queryOptions({
    queryKey: notificationKeys.of(userId),
    queryFn: async ({ signal }): Promise<Notification[]> => {
      const own = read('user_notifications').select('*').eq('user_id', userId)
      return unwrap(await own.order('created_at', { ascending: false }).abortSignal(signal)).map(
        toNotification,
      )
    },
  })
