import { camel, type TableRow } from '#lib/camel.ts'
import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read } from '#lib/supabase.ts'

export const roleRequestKeys = {
  all: ['role-requests'],
  list: ['role-requests', 'list'],
  latestOf: (userId: string) => ['role-requests', 'latest', userId],
} as const

/** A request for a staff role; `reviewedAt` is null while it is pending. Times are ISO. */
export type RoleRequest = TableRow<'admin_role_requests'>

/** All requests, newest first. For admins; others get only their own. */
export const roleRequestsQuery = query({
  key: roleRequestKeys.list,
  load: async (signal): Promise<RoleRequest[]> => {
    const all = read('admin_role_requests').select('*').order('requested_at', { ascending: false })
    return unwrap(await all.abortSignal(signal)).map(camel<RoleRequest>)
  },
})

/** A person's latest request, or null. */
export const latestRoleRequestQuery = (userId: string) =>
  query({
    key: roleRequestKeys.latestOf(userId),
    load: async (signal): Promise<RoleRequest | null> => {
      const own = read('admin_role_requests').select('*').eq('user_id', userId)
      const latest = own.order('requested_at', { ascending: false }).limit(1).abortSignal(signal)
      const row = unwrap(await latest.maybeSingle())
      return row && camel(row)
    },
  })
