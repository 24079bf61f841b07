import { useLive } from '#lib/live.ts'
import { roleKeys } from './roles.queries.ts'

/** The notifications of a person who has just been made staff. */
const MADE_STAFF = ['role-given', 'admin-access-approved']

/** Loads a person's role again as soon as they are made staff. */
export function useRoleLive(userId: string): void {
  useLive(
    `role-${userId}`,
    [{ table: 'user_notifications', filter: `user_id=eq.${userId}`, event: 'INSERT' }],
    {
      keys: [roleKeys.of(userId)],
      soon: 0,
      use: ({ new: news }) => !('event' in news && MADE_STAFF.includes(news.event ?? '')),
    },
  )
}
