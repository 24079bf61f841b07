import { useLive } from '#lib/live.ts'
import { membershipKeys } from './memberships.queries.ts'

/** In ms: the delay until a join or a departure appears. */
export const MEMBERS_SOON = 200

/**
 * Keeps a plan's members current by watching the plan's member count, since no other event is sent when a member
 * leaves.
 */
export function useMembersLive(planId: string): void {
  useLive(
    `members-${planId}`,
    [{ table: 'shared_subscriptions', filter: `id=eq.${planId}`, event: 'UPDATE' }],
    { keys: [membershipKeys.ofPlan(planId)], soon: MEMBERS_SOON },
  )
}
