import { useLive } from '#lib/live.ts'
import { membershipKeys } from './memberships.queries.ts'

/** In ms: how soon people appear and go. */
export const MEMBERS_SOON = 200

/** Keeps a plan's people current. Who leaves is only told as a change of the plan's count, so that is watched too. */
export function useMembersLive(planId: string): void {
  useLive(
    `members-${planId}`,
    [
      { table: 'subscription_members', filter: `subscription_id=eq.${planId}`, event: 'INSERT' },
      { table: 'shared_subscriptions', filter: `id=eq.${planId}`, event: 'UPDATE' },
    ],
    { keys: [membershipKeys.ofPlan(planId)], soon: MEMBERS_SOON },
  )
}
