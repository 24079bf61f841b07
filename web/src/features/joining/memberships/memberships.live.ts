import { useLive } from '#lib/live.ts'
import { membershipKeys } from './memberships.queries.ts'

/** In ms: how soon people appear and go. */
export const MEMBERS_SOON = 200

/** Keeps a plan's members current: each join or leave changes the plan's count, and nothing else tells of a leave. */
export function useMembersLive(planId: string): void {
  useLive(
    `members-${planId}`,
    [{ table: 'shared_subscriptions', filter: `id=eq.${planId}`, event: 'UPDATE' }],
    { keys: [membershipKeys.ofPlan(planId)], soon: MEMBERS_SOON },
  )
}
