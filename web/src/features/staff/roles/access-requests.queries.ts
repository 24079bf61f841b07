import { camel, type TableRow } from '#lib/camel.ts'
import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read } from '#lib/supabase.ts'

export const accessRequestKeys = {
  all: ['access-requests'],
  list: ['access-requests', 'list'],
  latestOf: (userId: string) => ['access-requests', 'latest', userId],
} as const

/** A request for admin access; `reviewedAt` is null while it is pending. Times are ISO. */
export type AccessRequest = TableRow<'admin_role_requests'>

/** All requests, newest first. For admins; others get only their own. */
export const accessRequestsQuery = query({
  key: accessRequestKeys.list,
  load: async (signal): Promise<AccessRequest[]> => {
    const all = read('admin_role_requests').select('*').order('requested_at', { ascending: false })
    return unwrap(await all.abortSignal(signal)).map(camel<AccessRequest>)
  },
})

/** A person's latest request, or null. */
export const latestAccessRequestQuery = (userId: string) =>
  query({
    key: accessRequestKeys.latestOf(userId),
    load: async (signal): Promise<AccessRequest | null> => {
      const own = read('admin_role_requests').select('*').eq('user_id', userId)
      const latest = own.order('requested_at', { ascending: false }).limit(1).abortSignal(signal)
      const row = unwrap(await latest.maybeSingle())
      return row && camel(row)
    },
  })
