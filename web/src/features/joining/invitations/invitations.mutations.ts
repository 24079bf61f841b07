import { useMutation, useQueryClient } from '@tanstack/react-query'
import { showAtOnce } from '#lib/cache.ts'
import { AppError } from '#lib/errors.ts'
import { announce } from '#lib/events.ts'
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

const PATIENCE = 15_000
const PAUSE = 300

/** Invites an address and waits until a mail server has taken the mail; only then is it sent. */
export function useInvite(planId: string, onInvited: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (email: string) => {
      const id = await rpc('invite_member', { p_subscription_id: planId, p_email: email })
      const status = await waitForMail(id)
      if (status === 'sent' || status === 'waiting') return status
      // People are told to try again, so nothing may stay behind: no place kept, no mail that arrives after all.
      await rpc('withdraw_invitation', { p_invitation_id: id })
      throw new AppError(NOT_DELIVERED, invitationTexts.notDelivered)
    },
    onSuccess: (status, email) => {
      if (status === 'sent') invitationToasts.sent(email)
      else invitationToasts.onItsWay(email)
      onInvited()
    },
    onError: invitationToasts.sendFailed,
    onSettled: () => cache.invalidateQueries({ queryKey: invitationKeys.ofPlan(planId) }),
  })
}

async function waitForMail(invitationId: string): Promise<MailStatus> {
  const giveUpAt = Date.now() + PATIENCE
  for (;;) {
    const status = await askMailStatus(invitationId)
    if (status !== 'waiting' || Date.now() > giveUpAt) return status
    await new Promise((done) => setTimeout(done, PAUSE))
  }
}

/** Takes an invitation back; its row goes at once and returns if that fails. */
export function useWithdrawInvitation(planId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: OpenInvitation) => rpc('withdraw_invitation', { p_invitation_id: id }),
    onMutate: ({ id }) =>
      showAtOnce<OpenInvitation[]>(cache, invitationKeys.ofPlan(planId), (open) =>
        open.filter((invitation) => invitation.id !== id),
      ),
    onSuccess: (_done, { email }) => invitationToasts.withdrawn(email),
    onError: (problem, _invitation, takeBack) => {
      takeBack?.()
      invitationToasts.withdrawFailed(problem)
    },
    onSettled: () => cache.invalidateQueries({ queryKey: invitationKeys.ofPlan(planId) }),
  })
}

/** Becomes a member by the link's place. */
export function useAcceptInvitation(
  token: string,
  userId: string,
  { provider, name }: OfferedPlace,
  onJoined: () => void,
) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      await tellTimeZone(userId)
      return rpc('accept_invitation', { p_token: token })
    },
    onSuccess: () => {
      invitationToasts.accepted(`${provider} ${name}`)
      announce('forceSubscriptionsRefresh')
      onJoined()
    },
    onError: invitationToasts.answerFailed,
    onSettled: () => cache.invalidateQueries({ queryKey: invitationKeys.all }),
  })
}

/** Gives the place back. */
export function useDeclineInvitation(token: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => rpc('decline_invitation', { p_token: token }),
    onSuccess: invitationToasts.declined,
    onError: invitationToasts.answerFailed,
    onSettled: () => cache.invalidateQueries({ queryKey: invitationKeys.all }),
  })
}
