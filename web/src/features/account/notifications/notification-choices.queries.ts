import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

/** What the signed-in person wants to be told beside the bell, topic by topic. */
export const notificationChoicesQuery = query({
  key: ['notification-choices'],
  load: (signal) => rpc('get_notification_choices', {}, signal),
})

export type Choice = Awaited<ReturnType<NonNullable<typeof notificationChoicesQuery.queryFn>>>[number]
