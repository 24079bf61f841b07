import { camel, type RowOf } from '#lib/camel.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export type QueueKind =
  | 'withdrawals'
  | 'problems'
  | 'disputes'
  | 'mails'
  | 'reports'
  | 'reviews'
  | 'support'
  | 'plans'
  | 'provider-requests'
  | 'role-requests'

/** Cases of one kind that wait for staff; `oldest` is the time (ISO) since when the oldest waits. */
export type StaffQueue = RowOf<'list_staff_queues', 'oldest', { kind: QueueKind }>

export const queueKeys = { all: ['staff-queues'] } as const

/** Some kinds are announced by no table that staff may watch, so the counts are also loaded again at intervals. */
const INTERVAL = 60_000

/** The kinds that the person's role allows. Cached per person. */
export const staffQueuesQuery = (userId: string) =>
  query({
    key: [...queueKeys.all, userId],
    refetchInterval: INTERVAL,
    load: async (signal) => (await rpc('list_staff_queues', {}, signal)).map(camel<StaffQueue>),
  })
