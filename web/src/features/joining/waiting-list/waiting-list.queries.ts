import { named } from '#domain/plan-name.ts'
import { camel, type RowOf } from '#lib/camel.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export const waitingListKeys = {
  all: ['waiting-lists'],
  of: (userId: string) => ['waiting-lists', userId],
} as const

/**
 * A person's place in the waiting list of a full plan; position 1 is next. `offeredUntil` is the ISO time until which a
 * place is reserved for them, or null without an offer.
 */
export type WaitingPlace = RowOf<'my_waiting_lists', 'offeredUntil'>

/** A person's waiting lists, the longest wait first. */
export const waitingListsQuery = (userId: string) =>
  query({
    key: waitingListKeys.of(userId),
    seen: true,
    load: async (signal) => (await rpc('my_waiting_lists', {}, signal)).map(camel<WaitingPlace>),
  })

export const precedenceKeys = { of: (userId: string) => ['precedence', userId] } as const

/**
 * A place that a person lost through no fault of their own. They are first in waiting lists of similar plans until an
 * ISO time.
 */
export type Precedence = RowOf<'my_precedence'>

/** A person's precedences, newest first; usually empty. */
export const precedenceQuery = (userId: string) =>
  query({
    key: precedenceKeys.of(userId),
    seen: true,
    load: async (signal) =>
      (await rpc('my_precedence', {}, signal)).map((row) => named(camel<Precedence>(row))),
  })
