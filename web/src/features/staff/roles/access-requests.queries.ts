import type { Database } from '@potluck/supabase/types'
import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read } from '#lib/supabase.ts'

export const accessRequestKeys = {
  all: ['access-requests'],
  list: ['access-requests', 'list'],
  latestOf: (userId: string) => ['access-requests', 'latest', userId],
} as const

export interface AccessRequest {
  id: string
  userId: string
  name: string
  email: string
  reason: string
  status: 'pending' | 'approved' | 'rejected'
  /** ISO timestamp. */
  requestedAt: string
  /** ISO timestamp; null while it waits. */
  reviewedAt: string | null
}

/** Everybody's requests, newest first. For admins: others get only their own. */
export const accessRequestsQuery = query({
  key: accessRequestKeys.list,
  load: async (signal): Promise<AccessRequest[]> => {
    const all = read('admin_role_requests').select('*').order('requested_at', { ascending: false })
    return unwrap(await all.abortSignal(signal)).map(toAccessRequest)
  },
})

/** What a person asked for last, or null. */
export const latestAccessRequestQuery = (userId: string) =>
  query({
    key: accessRequestKeys.latestOf(userId),
    load: async (signal): Promise<AccessRequest | null> => {
      const own = read('admin_role_requests').select('*').eq('user_id', userId)
      const latest = own.order('requested_at', { ascending: false }).limit(1).abortSignal(signal)
      const row = unwrap(await latest.maybeSingle())
      return row && toAccessRequest(row)
    },
  })

type Row = Database['public']['Tables']['admin_role_requests']['Row']

export function toAccessRequest({ user_id, requested_at, reviewed_at, ...row }: Row): AccessRequest {
  return { ...row, userId: user_id, requestedAt: requested_at, reviewedAt: reviewed_at }
}
