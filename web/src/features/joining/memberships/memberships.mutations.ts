import { t } from '@lingui/core/macro'
import type { Member } from '#domain/members.ts'
import type { OwnSeat } from '#domain/seats.ts'
import { paymentKeys } from '#features/money/payments/payments.queries.ts'
import { seatKeys } from '#features/money/payments/seats.queries.ts'
import { showAtOnce } from '#lib/cache.ts'
import { useChange } from '#lib/change.ts'
import { AppError, PERMISSION_DENIED, SIGNED_OUT, unwrap } from '#lib/errors.ts'
import { withinLimit } from '#lib/rate-limit.ts'
import { currentSession } from '#lib/session.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { membershipTexts, membershipToasts } from './memberships.messages.ts'
import { membershipKeys } from './memberships.queries.ts'

/** Removes a member. Their row disappears immediately, and returns on failure. */
export const useRemoveMember = (planId: string) =>
  useChange({
    run: async ({ userId }: Member) => {
      if (currentSession().status !== 'signed-in') throw new AppError(SIGNED_OUT, '')
      if ((await withinLimit('owner action', () => endMembership(planId, userId))) > 0) return
      // The database has removed nobody: the member has already left, or this person may not remove them.
      if (!(await rpc('is_subscription_owner', { subscription_id_param: planId })))
        throw new AppError(PERMISSION_DENIED, membershipTexts.ownerOnly)
    },
    stale: [membershipKeys.ofPlan(planId)],
    show: ({ userId }, cache) =>
      showAtOnce<Member[]>(cache, membershipKeys.ofPlan(planId), (members) =>
        members.filter((member) => member.userId !== userId),
      ),
    announces: { subscriptionUpdated: { subscriptionId: planId } },
    done: (_removed, { displayName }) => membershipToasts.removed(displayName),
    failed: (problem, { displayName }) => membershipToasts.removeFailed(problem, displayName),
  })

/** Ends the person's own membership. */
export const useLeavePlan = (planId: string, userId: string, onLeft: () => void) =>
  useChange({
    run: async () => {
      if ((await endMembership(planId, userId)) === 0)
        throw new AppError('not_member', t`Failed to leave subscription`)
    },
    // The person is about to leave the page, so its members are not reloaded.
    stale: [{ queryKey: membershipKeys.ofPlan(planId), refetchType: 'none' }],
    announces: {
      subscriptionMemberLeft: { subscriptionId: planId },
      forceSubscriptionsRefresh: null,
    },
    done: () => {
      membershipToasts.left()
      onLeft()
    },
    failed: membershipToasts.leaveFailed,
  })

/** Withdraws from the contract of a place, after which the unused part is refunded or owed by the owner. */
export const useWithdrawFromContract = (planId: string, onLeft: () => void) =>
  useChange({
    run: (seatId: string) => rpc('withdraw_from_contract', { p_seat_id: seatId }),
    stale: [seatKeys.all, paymentKeys.all, { queryKey: membershipKeys.ofPlan(planId), refetchType: 'none' }],
    announces: {
      subscriptionMemberLeft: { subscriptionId: planId },
      forceSubscriptionsRefresh: null,
    },
    done: () => {
      membershipToasts.contractWithdrawn()
      onLeft()
    },
    failed: membershipToasts.leaveFailed,
  })

/** Ends the person's own place with its current period. */
export const useLeaveLater = () =>
  useChange({
    run: ({ id }: OwnSeat) => rpc('leave_seat', { p_seat_id: id, p_now: false }),
    stale: [seatKeys.all],
    failed: membershipToasts.leaveFailed,
  })

/** Deletes a membership. Returns the number of deleted rows: 0 if there is none or the person may not end it. */
async function endMembership(planId: string, userId: string): Promise<number> {
  const memberships = supabase().from('subscription_members')
  const ended = memberships.delete().eq('subscription_id', planId).eq('user_id', userId)
  return unwrap(await ended.select('user_id')).length
}
