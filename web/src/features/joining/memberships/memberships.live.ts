import { useLive } from '#lib/live.ts'
import { membershipKeys } from './memberships.queries.ts'

/** In ms: how soon people appear and go. */
export const MEMBERS_SOON = 200

/** Keeps a plan's people current: whoever comes or goes changes the plan's count, and who goes is told in no other way. */
export function useMembersLive(planId: string): void {
  useLive(
    `members-${planId}`,
    [{ table: 'shared_subscriptions', filter: `id=eq.${planId}`, event: 'UPDATE' }],
    { keys: [membershipKeys.ofPlan(planId)], soon: MEMBERS_SOON },
  )
}
