import { useMutation, useQueryClient } from '@tanstack/react-query'
import { AppError, RULE_BROKEN, unwrap } from '#lib/errors.ts'
import { supabase } from '#lib/supabase.ts'
import { pendingRequestToasts } from './pending-requests.messages.ts'
import { type PendingRequest, pendingRequestKeys } from './pending-requests.queries.ts'

interface Decision {
  request: PendingRequest
  verdict: 'approved' | 'rejected'
}

/** Decides about a provider request, once and for all. Admins only. */
export function useDecideProviderRequest() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ request: { id }, verdict }: Decision) => {
      const decided = supabase().from('provider_requests').update({ status: verdict }).eq('id', id)
      // What is gone, or not for these eyes any more, is no error to the database.
      if (unwrap(await decided.select('id')).length === 0)
        throw new AppError(RULE_BROKEN, 'This request is not there any more')
    },
    onSuccess: (_decided, { request, verdict }) => pendingRequestToasts[verdict](request),
    onError: pendingRequestToasts.refused,
    onSettled: () => cache.invalidateQueries({ queryKey: pendingRequestKeys.all }),
  })
}
