import { t } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { planName } from '#domain/plan-name.ts'
import { showAtOnce } from '#lib/cache.ts'
import { useChange } from '#lib/change.ts'
import { AppError, unwrap } from '#lib/errors.ts'
import { announce } from '#lib/events.ts'
import { withinLimit } from '#lib/rate-limit.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { joinRequestToasts } from './join-requests.messages.ts'
import { type AwaitingRequest, joinRequestKeys, type PendingRequest } from './join-requests.queries.ts'
import { rememberCancelled, rememberProcessed } from './request-memory.ts'

/** In ms: the delay between a cancellation and reloading the lists. */
const AFTER_CANCEL = 300

const memberSchema = z.object({ id: z.string(), name: z.string().check(z.minLength(1)) })

/** Approves a request. It leaves the list immediately, and returns on failure. */
export const useApproveRequest = (planId: string) =>
  useAnswer(planId, 'approved', async (names) => {
    mustBeMember(await withinLimit('approval', () => rpc('approve_subscription_request', names)))
  })

/** Rejects a request. It leaves the list immediately, and returns on failure. */
export const useRejectRequest = (planId: string) =>
  useAnswer(planId, 'rejected', (names) =>
    withinLimit('rejection', () => rpc('reject_subscription_request', names)),
  )

type Answer = (names: { p_request_id: string; p_subscription_id: string }) => Promise<void>

const useAnswer = (planId: string, status: 'approved' | 'rejected', give: Answer) =>
  useChange({
    run: ({ id }: PendingRequest) => give({ p_request_id: id, p_subscription_id: planId }),
    stale: (problem) => [
      joinRequestKeys.archivedOfPlan(planId),
      // Loading the pending requests is rate-limited, and after an answer the list is already correct. Reload it only
      // after a failure, or if a reload was due anyway.
      {
        queryKey: joinRequestKeys.ofPlan(planId),
        predicate: ({ state }) => problem !== null || state.isInvalidated,
      },
    ],
    announces: (_done, { id: requestId }) => ({
      requestStatusChanged: { requestId, status, subscriptionId: planId, at: Date.now() },
      forceRequestCountsRefresh: null,
    }),
    show: ({ id }, cache) =>
      showAtOnce<PendingRequest[]>(cache, joinRequestKeys.ofPlan(planId), (shown) =>
        shown.filter((request) => request.id !== id),
      ),
    done: (_done, { id, name }) => {
      joinRequestToasts[status](name)
      rememberProcessed(id)
    },
    failed: status === 'approved' ? joinRequestToasts.approveFailed : joinRequestToasts.rejectFailed,
  })

/** Cancels the person's own request while it is pending. */
export const useCancelRequest = (userId: string) =>
  useChange({
    run: async ({ id }: AwaitingRequest) => {
      const change = supabase().from('subscription_requests').update({ status: 'cancelled' }).eq('id', id)
      if (unwrap(await change.select('id')).length === 0) throw new AppError('not_pending', '')
    },
    stale: [joinRequestKeys.awaitingOf(userId)],
    announces: (_cancelled, { id: requestId, plan: { id: subscriptionId } }) => ({
      requestStatusChanged: { requestId, status: 'cancelled', subscriptionId, at: Date.now() },
    }),
    show: (request, cache) =>
      showAtOnce<AwaitingRequest[]>(cache, joinRequestKeys.awaitingOf(userId), (shown) =>
        shown.filter(({ id }) => id !== request.id),
      ),
    done: (_cancelled, { id, plan }) => {
      rememberCancelled(id)
      joinRequestToasts.cancelled(`${plan.provider} ${planName(plan.name)}`)
      setTimeout(() => announce('forceSubscriptionsRefresh'), AFTER_CANCEL)
    },
    failed: joinRequestToasts.cancelFailed,
  })

/** Throws an AppError unless the response to an approval contains a member's id and name. */
export function mustBeMember(answer: unknown): void {
  if (typeof answer !== 'object' || answer === null)
    throw new AppError('bad_answer', t`Invalid response from server`)
  if (!memberSchema.safeParse(answer).success)
    throw new AppError('bad_answer', t`Invalid member data received from server`)
}
