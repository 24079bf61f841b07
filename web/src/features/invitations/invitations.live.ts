import { useLiveQueries } from '#lib/live.ts'
import { invitationKeys } from './invitations.queries.ts'

/** Keeps a plan's open invitations current: answered, withdrawn elsewhere, or their mail delivered. */
export function useInvitationsLive(planId: string): void {
  useLiveQueries(
    `invitations-${planId}`,
    [{ table: 'subscription_invitations', filter: `subscription_id=eq.${planId}` }],
    [invitationKeys.ofPlan(planId)],
    { debounceMs: 200 },
  )
}
