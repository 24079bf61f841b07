import { planKeys } from '#features/plans/shared-plans/plans.queries.ts'
import { showAtOnce } from '#lib/cache.ts'
import { useChange } from '#lib/change.ts'
import { AppError } from '#lib/errors.ts'
import { withName } from '#lib/name.ts'
import { rpc } from '#lib/supabase.ts'
import { tellTimeZone } from '#lib/time-zone.ts'
import { invitationTexts, invitationToasts, NOT_DELIVERED } from './invitations.messages.ts'
import {
  askMailStatus,
  invitationKeys,
  type MailStatus,
  type OfferedPlace,
  type OpenInvitation,
} from './invitations.queries.ts'

/** In ms: how long a mail server may take to accept the mail, and how often we ask. */
const PATIENCE = 15_000
const PAUSE = 300

/** Invites an address and waits until a mail server has taken the mail; only then is it sent. */
export const useInvite = (planId: string, onInvited: () => void) =>
  useChange({
    run: async (email: string) => {
      const id = await rpc('invite_member', { p_subscription_id: planId, p_email: email })
      const status = await waitForMail(id)
      if (status === 'sent' || status === 'waiting') return status
      // The person is told to try again, so nothing may stay behind: no place kept, no mail that arrives after all.
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

/** Takes an invitation back; its row goes at once and returns if that fails. */
export const useWithdrawInvitation = (planId: string) =>
  useChange({
    run: ({ id }: OpenInvitation) => rpc('revoke_invitation', { p_invitation_id: id }),
    stale: [invitationKeys.ofPlan(planId)],
    show: ({ id }, cache) =>
      showAtOnce<OpenInvitation[]>(cache, invitationKeys.ofPlan(planId), (open) =>
        open.filter((invitation) => invitation.id !== id),
      ),
    done: (_done, { email }) => invitationToasts.withdrawn(email),
    failed: invitationToasts.withdrawFailed,
  })

/** Makes the person a member, in the place that the link keeps. */
export const useAcceptInvitation = (
  token: string,
  userId: string,
  { provider, name }: OfferedPlace,
  onJoined: () => void,
) =>
  useChange({
    /** `beginsAtOnce`: the person asks us to begin at once. */
    run: (beginsAtOnce: boolean) =>
      withName(async () => {
        await tellTimeZone(userId)
        return rpc('accept_invitation', { p_token: token, p_begin_at_once: beginsAtOnce })
      }),
    // A list of plans on screen is reloaded by the event below.
    stale: [invitationKeys.all, { queryKey: planKeys.lists, refetchType: 'none' }],
    announces: { forceSubscriptionsRefresh: null },
    done: () => {
      invitationToasts.accepted(`${provider} ${name}`)
      onJoined()
    },
    failed: invitationToasts.answerFailed,
  })

/** Gives the place back. */
export const useDeclineInvitation = (token: string) =>
  useChange({
    run: () => rpc('decline_invitation', { p_token: token }),
    stale: [invitationKeys.all],
    done: invitationToasts.declined,
    failed: invitationToasts.answerFailed,
  })
