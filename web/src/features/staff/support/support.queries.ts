import { camel, type RowOf } from '#lib/camel.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export const supportKeys = { all: ['support'] } as const

/** A support request of the signed-in person. Times are ISO; `answer` is null until staff have answered. */
export type OwnRequest = RowOf<'my_support_requests', 'answer' | 'answeredAt'>

/** The signed-in person's support requests, latest first. */
export const ownRequestsQuery = (userId: string) =>
  query({
    key: [...supportKeys.all, userId],
    load: async (signal) => (await rpc('my_support_requests', {}, signal)).map(camel<OwnRequest>),
  })
