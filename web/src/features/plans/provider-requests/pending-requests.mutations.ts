import { t } from '@lingui/core/macro'
import { useChange } from '#lib/change.ts'
import { AppError, RULE_BROKEN, unwrap } from '#lib/errors.ts'
import { supabase } from '#lib/supabase.ts'
import { pendingRequestToasts } from './pending-requests.messages.ts'
import { type PendingRequest, pendingRequestKeys } from './pending-requests.queries.ts'

interface Decision {
  request: PendingRequest
  verdict: 'approved' | 'rejected'
}

/** Approves or rejects a provider request. The decision is final. Admins only. */
export const useDecideProviderRequest = () =>
  useChange({
    run: async ({ request: { id }, verdict }: Decision) => {
      const decided = supabase().from('provider_requests').update({ status: verdict }).eq('id', id)
      // The database reports no error for a request that is gone or that the person may no longer see.
      if (unwrap(await decided.select('id')).length === 0)
        throw new AppError(RULE_BROKEN, t`This request no longer exists`)
    },
    stale: [pendingRequestKeys.all],
    done: (_decided, { request, verdict }) => pendingRequestToasts[verdict](request),
    failed: pendingRequestToasts.refused,
  })
