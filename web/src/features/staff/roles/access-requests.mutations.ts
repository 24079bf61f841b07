import { useMutation, useQueryClient } from '@tanstack/react-query'
import { AppError, SIGNED_OUT, unwrap } from '#lib/errors.ts'
import { askSession } from '#lib/session.ts'
import { supabase } from '#lib/supabase.ts'
import type { AccessWish } from './access-request.schema.ts'
import { accessRequestTexts, accessRequestToasts, decisionToasts } from './access-requests.messages.ts'
import { type AccessRequest, accessRequestKeys, toAccessRequest } from './access-requests.queries.ts'

/** Asks for admin access. The database notes when, and that it waits for a decision. */
export function useRequestAccess() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (wish: AccessWish) => {
      const user = await askSession()
      if (!user) throw new AppError(SIGNED_OUT, accessRequestTexts.signedOut)
      const asked = supabase()
        .from('admin_role_requests')
        .insert({ user_id: user.id, ...wish })
      return toAccessRequest(unwrap(await asked.select('*').single()))
    },
    onSuccess: (request) => {
      accessRequestToasts.sent()
      cache.setQueryData(accessRequestKeys.latestOf(request.userId), request)
    },
    onError: accessRequestToasts.refused,
    onSettled: () => cache.invalidateQueries({ queryKey: accessRequestKeys.all }),
  })
}

export interface Decision {
  request: AccessRequest
  verdict: 'approved' | 'rejected'
}

/** Decides on a request. An approval grants the role with it or not at all. */
export function useDecideAccessRequest() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ request: { id }, verdict }: Decision) => {
      const review = { status: verdict, reviewed_at: new Date().toISOString() }
      const decided = supabase().from('admin_role_requests').update(review).eq('id', id).select('id')
      // What one may not decide on is not there to be changed, which is no error to the database.
      if (unwrap(await decided).length === 0) throw new AppError('not_decided', '')
    },
    onSuccess: (_decided, { request, verdict }) => decisionToasts[verdict](request.name),
    onError: (problem, { verdict }) =>
      verdict === 'approved' ? decisionToasts.approveFailed(problem) : decisionToasts.rejectFailed(problem),
    onSettled: () => cache.invalidateQueries({ queryKey: accessRequestKeys.all }),
  })
}
