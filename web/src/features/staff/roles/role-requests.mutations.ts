import { useQueryClient } from '@tanstack/react-query'
import { camel } from '#lib/camel.ts'
import { useChange } from '#lib/change.ts'
import { AppError, SIGNED_OUT, unwrap } from '#lib/errors.ts'
import { askSession } from '#lib/session.ts'
import { supabase } from '#lib/supabase.ts'
import type { NewRoleRequest } from './role-request.schema.ts'
import { decisionToasts, roleRequestTexts, roleRequestToasts } from './role-requests.messages.ts'
import { type RoleRequest, roleRequestKeys } from './role-requests.queries.ts'

/** Sends a role request. The database sets the time and the pending status. */
export function useSendRoleRequest() {
  const cache = useQueryClient()
  return useChange({
    run: async (values: NewRoleRequest) => {
      const user = await askSession()
      if (!user) throw new AppError(SIGNED_OUT, roleRequestTexts.signedOut)
      const asked = supabase()
        .from('admin_role_requests')
        .insert({ user_id: user.id, ...values })
      return camel<RoleRequest>(unwrap(await asked.select('*').single()))
    },
    stale: [roleRequestKeys.all],
    done: (request) => {
      roleRequestToasts.sent()
      cache.setQueryData(roleRequestKeys.latestOf(request.userId), request)
    },
    failed: roleRequestToasts.refused,
  })
}

export interface Decision {
  request: RoleRequest
  verdict: 'approved' | 'rejected'
}

/** Decides on a request. An approval grants the role in the same transaction. */
export const useDecideRoleRequest = () =>
  useChange({
    run: async ({ request: { id }, verdict }: Decision) => {
      const review = { status: verdict, reviewed_at: new Date().toISOString() }
      const decided = supabase().from('admin_role_requests').update(review).eq('id', id).select('id')
      // Row-level security hides a request that the person may not decide, so the database reports no error.
      if (unwrap(await decided).length === 0) throw new AppError('not_decided', '')
    },
    stale: [roleRequestKeys.all],
    done: (_done, { request, verdict }) => decisionToasts[verdict](request.name),
    failed: (problem, { verdict }) =>
      verdict === 'approved' ? decisionToasts.approveFailed(problem) : decisionToasts.rejectFailed(problem),
  })
