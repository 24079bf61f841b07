import { camel, type RowOf } from '#lib/camel.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

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
