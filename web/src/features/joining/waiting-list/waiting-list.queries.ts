import { camel, type RowOf } from '#lib/camel.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export const waitingListKeys = {
  all: ['waiting-lists'],
  of: (userId: string) => ['waiting-lists', userId],
} as const

/** A full plan that a person waits for; position 1 is next. A free place is kept for them until an ISO time, null while there is none. */
export type WaitingPlace = RowOf<'my_waiting_lists', 'offeredUntil'>

/** Where a person waits, longest first. */
export const waitingListsQuery = (userId: string) =>
  query({
    key: waitingListKeys.of(userId),
    seen: true,
    load: async (signal) => (await rpc('my_waiting_lists', {}, signal)).map(camel<WaitingPlace>),
  })
