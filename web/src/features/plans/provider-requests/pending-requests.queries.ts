import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read, rpc } from '#lib/supabase.ts'

export const pendingRequestKeys = {
  all: ['provider-requests', 'pending'],
  count: ['provider-requests', 'pending', 'count'],
  list: ['provider-requests', 'pending', 'list'],
} as const

/** How many provider requests of everybody wait for a decision. Admins only. */
export const pendingRequestCountQuery = query({
  key: pendingRequestKeys.count,
  load: (signal) => rpc('get_pending_provider_requests_count', {}, signal),
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
export const pendingRequestsQuery = query({
  key: pendingRequestKeys.list,
  load: async (signal): Promise<PendingRequest[]> => {
    const waiting = read('provider_requests')
      .select(
        'id, userId:user_id, providerName:provider_name, category, website:website_url, createdAt:created_at',
      )
      .eq('status', 'pending')
    return unwrap(await waiting.order('created_at').limit(MOST).abortSignal(signal))
  },
})
