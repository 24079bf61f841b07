import { useLiveQueries } from '#lib/live.ts'
import { membershipKeys } from './memberships.queries.ts'

/** In ms: people appear and go soon, and a list just loaded is not loaded again within 2 s. */
export const MEMBER_REFRESH = { debounceMs: 200, throttleMs: 2000 } as const

/** Keeps a plan's people current. Who leaves is only told as a change of the plan's count, so that is watched too. */
export function useMembersLive(planId: string): void {
  useLiveQueries(
    `members-${planId}`,
    [
      { table: 'subscription_members', filter: `subscription_id=eq.${planId}`, event: 'INSERT' },
      { table: 'shared_subscriptions', filter: `id=eq.${planId}`, event: 'UPDATE' },
    ],
    [membershipKeys.ofPlan(planId)],
    MEMBER_REFRESH,
  )
}
