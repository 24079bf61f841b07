import { planKeys } from '#features/plans/shared-plans/plans.queries.ts'
import { withAge } from '#lib/age.ts'
import { showAtOnce } from '#lib/cache.ts'
import { useChange } from '#lib/change.ts'
import { AppError } from '#lib/errors.ts'
import { withName } from '#lib/name.ts'
import { rpc } from '#lib/supabase.ts'
import { tellTimeZone } from '#lib/time-zone.ts'
import { invitationTexts, invitationToasts, NOT_DELIVERED } from './invitations.messages.ts'
import { askMailStatus, invitationKeys, type MailStatus, type OpenInvitation } from './invitations.queries.ts'

/** In ms: the time a mail server may take to accept the mail, and the pause between checks. */
const PATIENCE = 15_000
const PAUSE = 300

/** Sends an invitation to an e-mail address and waits until a mail server has accepted the mail. */
export const useInvite = (planId: string, onInvited: () => void) =>
  useChange({
    run: async (email: string) => {
      const id = await rpc('invite_member', { p_subscription_id: planId, p_email: email })
      const status = await waitForMail(id)
      if (status === 'sent' || status === 'waiting') return status
      // The person is asked to try again, so the failed invitation must not go on reserving a place, and its mail must
      // not arrive later.
      await rpc('revoke_invitation', { p_invitation_id: id })
      throw new AppError(NOT_DELIVERED, invitationTexts.notDelivered)
    },
    stale: [invitationKeys.ofPlan(planId)],
    done: (status, email) => {
      if (status === 'sent') invitationToasts.sent(email)
      else invitationToasts.onItsWay(email)
      onInvited()
    },
    failed: invitationToasts.sendFailed,
  })

async function waitForMail(invitationId: string): Promise<MailStatus> {
  const giveUpAt = Date.now() + PATIENCE
  for (;;) {
    const status = await askMailStatus(invitationId)
    if (status !== 'waiting' || Date.now() > giveUpAt) return status
    await new Promise((done) => setTimeout(done, PAUSE))
  }
}

/** Revokes an invitation. Its row disappears immediately, and returns on failure. */
export const useRevokeInvitation = (planId: string) =>
  useChange({
    run: ({ id }: OpenInvitation) => rpc('revoke_invitation', { p_invitation_id: id }),
    stale: [invitationKeys.ofPlan(planId)],
    show: ({ id }, cache) =>
      showAtOnce<OpenInvitation[]>(cache, invitationKeys.ofPlan(planId), (open) =>
        open.filter((invitation) => invitation.id !== id),
      ),
    done: (_done, { email }) => invitationToasts.revoked(email),
    failed: invitationToasts.revokeFailed,
  })

/** Accepts an invitation: the person becomes a member in the reserved place. */
export const useAcceptInvitation = (token: string, userId: string, onJoined: () => void) =>
  useChange({
    /** `beginsAtOnce` is true if the person asks for the place to begin immediately. */
    run: (beginsAtOnce: boolean) =>
      withName(async () => {
        await tellTimeZone(userId)
        return withAge(() => rpc('accept_invitation', { p_token: token, p_begin_at_once: beginsAtOnce }))
      }),
    // The event announced below reloads the lists of plans on screen.
    stale: [invitationKeys.all, { queryKey: planKeys.lists, refetchType: 'none' }],
    announces: { forceSubscriptionsRefresh: null },
    done: onJoined,
    failed: invitationToasts.answerFailed,
  })

/** Declines an invitation, which frees the reserved place. */
export const useDeclineInvitation = (token: string) =>
  useChange({
    run: () => rpc('decline_invitation', { p_token: token }),
    stale: [invitationKeys.all],
    done: invitationToasts.declined,
    failed: invitationToasts.answerFailed,
  })
