import { useQueryClient } from '@tanstack/react-query'
import { fullDay } from '#domain/dates.ts'
import type { Member } from '#domain/members.ts'
import type { OwnSeat } from '#domain/seats.ts'
import { showAtOnce } from '#lib/cache.ts'
import { useChange } from '#lib/change.ts'
import { AppError, PERMISSION_DENIED, SIGNED_OUT, unwrap } from '#lib/errors.ts'
import { announce } from '#lib/events.ts'
import { withinLimit } from '#lib/rate-limit.ts'
import { currentSession } from '#lib/session.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { membershipTexts, membershipToasts } from './memberships.messages.ts'
import { membershipKeys } from './memberships.queries.ts'

/** Takes a person off a plan; the row goes at once and comes back if the removal fails. */
export const useRemoveMember = (planId: string) =>
  useChange({
    run: async ({ userId }: Member) => {
      if (currentSession().status !== 'signed-in') throw new AppError(SIGNED_OUT, '')
      if ((await withinLimit('owner action', () => endMembership(planId, userId))) > 0) return
      // Nothing was removed: the member has left meanwhile, or this person may not remove them.
      if (!(await rpc('is_subscription_owner', { subscription_id_param: planId })))
        throw new AppError(PERMISSION_DENIED, membershipTexts.ownerOnly)
    },
    stale: [membershipKeys.ofPlan(planId)],
    show: ({ userId }, cache) =>
      showAtOnce<Member[]>(cache, membershipKeys.ofPlan(planId), (members) =>
        members.filter((member) => member.userId !== userId),
      ),
    done: (_removed, { displayName }) => {
      membershipToasts.removed(displayName)
      announce('subscriptionUpdated', { subscriptionId: planId })
    },
    failed: (problem, { displayName }) => membershipToasts.removeFailed(problem, displayName),
  })

/** Ends the person's own membership. */
export function useLeavePlan(planId: string, userId: string, onLeft: () => void) {
  const cache = useQueryClient()
  return useChange({
    run: async () => {
      if ((await endMembership(planId, userId)) === 0)
        throw new AppError('not_member', 'Failed to leave subscription')
    },
    done: () => {
      membershipToasts.left()
      announce('subscriptionMemberLeft', { subscriptionId: planId })
      announce('forceSubscriptionsRefresh')
      onLeft()
      void cache.invalidateQueries({ queryKey: membershipKeys.ofPlan(planId), refetchType: 'none' })
    },
    failed: membershipToasts.leaveFailed,
  })
}

/** Has the person's own place end with its period. */
export const useLeaveLater = (onLeaving: () => void) =>
  useChange({
    run: ({ seat }: { seat: OwnSeat; until: string }) =>
      rpc('leave_seat', { p_seat_id: seat.id, p_now: false }),
    done: (_done, { until }) => {
      membershipToasts.leaving(fullDay(until))
      onLeaving()
    },
    failed: membershipToasts.leaveFailed,
  })

/** How many memberships ended: none if there was none, or none that the person may end. */
async function endMembership(planId: string, userId: string): Promise<number> {
  const memberships = supabase().from('subscription_members')
  const ended = memberships.delete().eq('subscription_id', planId).eq('user_id', userId)
  return unwrap(await ended.select('user_id')).length
}
