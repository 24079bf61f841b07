import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read } from '#lib/supabase.ts'
import { toNotification, type UserNotification } from './notification.ts'
import { haveWords } from './words.ts'

export const notificationKeys = { of: (userId: string) => ['notifications', userId] } as const

/** All of a person's notifications, newest first. */
export const notificationsQuery = (userId: string) =>
  query({
    key: notificationKeys.of(userId),
    seen: true,
    load: async (signal): Promise<UserNotification[]> => {
      const own = read('user_notifications').select('*').eq('user_id', userId)
      const newest = own.order('created_at', { ascending: false })
      const [answer] = await Promise.all([newest.abortSignal(signal), haveWords()])
      return unwrap(answer).map(toNotification)
    },
  })
