import { camel, type RowOf } from '#lib/camel.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export type QueueKind =
  | 'withdrawals'
  | 'problems'
  | 'disputes'
  | 'mails'
  | 'cases'
  | 'plans'
  | 'provider-requests'
  | 'role-requests'

/** Cases of one kind that wait for staff; `oldest` is the time (ISO) at which the oldest case began to wait. */
export type StaffQueue = RowOf<'list_staff_queues', 'oldest', { kind: QueueKind }>

export const queueKeys = { all: ['staff-queues'] } as const

/**
 * In ms. Some kinds of cases change no table that staff may watch, so the counts are also reloaded at this interval.
 */
const INTERVAL = 60_000

/** The queues of the kinds that the person's role allows. Cached per person. */
export const staffQueuesQuery = (userId: string) =>
  query({
    key: [...queueKeys.all, userId],
    refetchInterval: INTERVAL,
    load: async (signal) => (await rpc('list_staff_queues', {}, signal)).map(camel<StaffQueue>),
  })
