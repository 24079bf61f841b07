import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '#lib/errors.ts'
import { read, supabase } from '#lib/supabase.ts'

export const pendingRequestKeys = {
  all: ['provider-requests', 'pending'],
  count: ['provider-requests', 'pending', 'count'],
  list: ['provider-requests', 'pending', 'list'],
} as const

/** How many provider requests of everybody wait for a decision. Admins only. */
export const pendingRequestCountQuery = queryOptions({
  queryKey: pendingRequestKeys.count,
  queryFn: async ({ signal }) =>
    unwrap(await supabase().rpc('get_pending_provider_requests_count').abortSignal(signal)),
})

/** A provider request as whoever decides about it sees it. */
export interface PendingRequest {
  id: string
  /** Whose it is. */
  userId: string
  providerName: string
  category: string
  website: string
  /** ISO timestamp. */
  createdAt: string
}

/** As many as a popover lists; the rest follows once these are decided. */
const MOST = 50

/** The provider requests that wait, the longest waiting first. Admins only. */
export const pendingRequestsQuery = queryOptions({
  queryKey: pendingRequestKeys.list,
  queryFn: async ({ signal }): Promise<PendingRequest[]> => {
    const waiting = read('provider_requests')
      .select('id, user_id, provider_name, category, website_url, created_at')
      .eq('status', 'pending')
    const rows = unwrap(await waiting.order('created_at').limit(MOST).abortSignal(signal))
    return rows.map((row) => ({
      id: row.id,
      userId: row.user_id,
      providerName: row.provider_name,
      category: row.category,
      website: row.website_url,
      createdAt: row.created_at,
    }))
  },
})
