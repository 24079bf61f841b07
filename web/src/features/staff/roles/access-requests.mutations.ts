import { useQueryClient } from '@tanstack/react-query'
import { camel } from '#lib/camel.ts'
import { useChange } from '#lib/change.ts'
import { AppError, SIGNED_OUT, unwrap } from '#lib/errors.ts'
import { askSession } from '#lib/session.ts'
import { supabase } from '#lib/supabase.ts'
import type { AccessWish } from './access-request.schema.ts'
import { accessRequestTexts, accessRequestToasts, decisionToasts } from './access-requests.messages.ts'
import { type AccessRequest, accessRequestKeys } from './access-requests.queries.ts'

/** Sends a request for admin access. The database sets the time and the pending status. */
export function useRequestAccess() {
  const cache = useQueryClient()
  return useChange({
    run: async (wish: AccessWish) => {
      const user = await askSession()
      if (!user) throw new AppError(SIGNED_OUT, accessRequestTexts.signedOut)
      const asked = supabase()
        .from('admin_role_requests')
        .insert({ user_id: user.id, ...wish })
      return camel<AccessRequest>(unwrap(await asked.select('*').single()))
    },
    stale: [accessRequestKeys.all],
    done: (request) => {
      accessRequestToasts.sent()
      cache.setQueryData(accessRequestKeys.latestOf(request.userId), request)
    },
    failed: accessRequestToasts.refused,
  })
}

export interface Decision {
  request: AccessRequest
  verdict: 'approved' | 'rejected'
}

/** Decides on a request. An approval grants the role in the same transaction. */
export const useDecideAccessRequest = () =>
  useChange({
    run: async ({ request: { id }, verdict }: Decision) => {
      const review = { status: verdict, reviewed_at: new Date().toISOString() }
      const decided = supabase().from('admin_role_requests').update(review).eq('id', id).select('id')
      // Row-level security hides a request that the person may not decide, so the database reports no error.
      if (unwrap(await decided).length === 0) throw new AppError('not_decided', '')
    },
    stale: [accessRequestKeys.all],
    done: (_done, { request, verdict }) => decisionToasts[verdict](request.name),
    failed: (problem, { verdict }) =>
      verdict === 'approved' ? decisionToasts.approveFailed(problem) : decisionToasts.rejectFailed(problem),
  })
