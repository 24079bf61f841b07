import { useQueryClient } from '@tanstack/react-query'
import { putInto, takeFrom } from '#lib/cache.ts'
import { useLive } from '#lib/live.ts'
import { invitationKeys, type OpenInvitation } from './invitations.queries.ts'

/** Updates a plan's open invitations after answers, revocations and mail deliveries. */
export function useInvitationsLive(planId: string): void {
  const cache = useQueryClient()
  const open = invitationKeys.ofPlan(planId)
  useLive(
    `invitations-${planId}`,
    [{ table: 'subscription_invitations', filter: `subscription_id=eq.${planId}` }],
    {
      keys: [open],
      use: (change) => {
        if (change.eventType === 'DELETE') return false
        const { id, email, mail_status: mailStatus, expires_at: expiresAt, ...ended } = change.new
        const invitation: OpenInvitation = { id, email, mailStatus, expiresAt }
        if (ended.accepted_at || ended.declined_at || ended.withdrawn_at) takeFrom(cache, open, id)
        // All invitations are valid for the same time, so the order by expiry is the order by age.
        else putInto(cache, open, invitation, (one, other) => one.expiresAt < other.expiresAt)
        return 'put'
      },
    },
  )
}
