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

export const precedenceKeys = { of: (userId: string) => ['precedence', userId] } as const

/**
 * A place somebody lost through no fault of their own, which puts them first in the waiting lists of plans like it, until an
 * ISO time.
 */
export type Precedence = RowOf<'my_precedence'>

/** Where a person comes first, the newest first; nothing for most people at most times. */
export const precedenceQuery = (userId: string) =>
  query({
    key: precedenceKeys.of(userId),
    seen: true,
    load: async (signal) => (await rpc('my_precedence', {}, signal)).map(camel<Precedence>),
  })
