import type { TableRow } from '#lib/camel.ts'
import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read, rpc } from '#lib/supabase.ts'

export const pendingRequestKeys = {
  all: ['provider-requests', 'pending'],
  count: ['provider-requests', 'pending', 'count'],
  list: ['provider-requests', 'pending', 'list'],
} as const

/** The number of pending provider requests. Admins only. */
export const pendingRequestCountQuery = query({
  key: pendingRequestKeys.count,
  load: (signal) => rpc('get_pending_provider_requests_count', {}, signal),
})

/** A provider request as an admin sees it. Times are ISO timestamps. */
export type PendingRequest = Pick<
  TableRow<'provider_requests'>,
  'id' | 'userId' | 'providerName' | 'category' | 'createdAt'
> & { website: string }

/** The maximum number of requests in the popover; others follow once these are decided. */
const MOST = 50

/** Pending provider requests, oldest first. Admins only. */
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
