import { t } from '@lingui/core/macro'
import { type BillingCycle, type Cycle, cycleOf, type Settlement } from '#domain/plan.ts'
import { camel, type RowOf, type TableRow } from '#lib/camel.ts'
import { AppError, NOT_FOUND, unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read, rpc } from '#lib/supabase.ts'

export const invitationKeys = {
  all: ['invitations'],
  ofPlan: (planId: string) => ['invitations', 'plan', planId],
  ofLink: (token: string, userId: string | null) => ['invitations', 'link', token, userId],
} as const

/** An open invitation, for the plan's owner. A place is reserved for it until `expiresAt` (ISO). */
export type OpenInvitation = Pick<
  TableRow<'subscription_invitations'>,
  'id' | 'email' | 'mailStatus' | 'expiresAt'
>

/** The delivery state of the invitation's mail; `delayed` after a failed attempt that will be retried. */
export type MailStatus = OpenInvitation['mailStatus']

/** A plan's open invitations, oldest first; empty for anyone but the plan's owner. */
export const openInvitationsQuery = (planId: string) =>
  query({
    key: invitationKeys.ofPlan(planId),
    load: async (signal): Promise<OpenInvitation[]> => {
      const open = read('subscription_invitations')
        .select('id, email, mailStatus:mail_status, expiresAt:expires_at')
        .eq('subscription_id', planId)
        .is('accepted_at', null)
        .is('declined_at', null)
        .is('withdrawn_at', null)
        .gt('expires_at', new Date().toISOString())
      return unwrap(await open.order('created_at').abortSignal(signal))
    },
    // No event is sent when an invitation expires, so the list is reloaded when its first invitation expires.
    refetchInterval: ({ state }) => untilFirstExpiry(state.data, Date.now()),
  })

const LONGEST_WAIT = 60 * 60_000

function untilFirstExpiry(open: OpenInvitation[] | undefined, now: number): number | false {
  if (!open || open.length === 0) return false
  const first = Math.min(...open.map(({ expiresAt }) => Date.parse(expiresAt)))
  return Math.min(Math.max(first - now + 1000, 1000), LONGEST_WAIT)
}

/** Loads the current delivery state of one invitation's mail. */
export async function askMailStatus(invitationId: string): Promise<MailStatus> {
  const wanted = read('subscription_invitations').select('mail_status').eq('id', invitationId)
  return unwrap(await wanted.single()).mail_status
}

export type InvitationStatus = 'open' | 'accepted' | 'declined' | 'withdrawn' | 'expired'

/** An invitation as the holder of its link sees it: the whole offer while it is open, afterwards only how it ended. */
export type Invitation = OfferedPlace | { status: Exclude<InvitationStatus, 'open'> }

/**
 * A place reserved for the invited e-mail address until `expiresAt` (ISO). The price is for one billing cycle, without
 * the fee. The next payment is an ISO date, or null while none is scheduled.
 */
export type OfferedPlace = RowOf<
  'get_invitation',
  'nextPayment' | 'ownerAvatarUrl' | 'cycleMonths',
  { status: 'open'; billingCycle: BillingCycle | 'months'; settlement: Settlement }
> & { cycle: Cycle }

/**
 * The invitation behind a mailed link, for the person `userId` or, if that is null, for a visitor. Fails with PT404 if
 * the invitation is unknown, and with 42501 if it is for another person.
 */
export const invitationQuery = (token: string, userId: string | null) =>
  query({
    key: invitationKeys.ofLink(token, userId),
    load: async (signal) => {
      const [row] = await rpc('get_invitation', { p_token: token }, signal)
      if (!row) throw new AppError(NOT_FOUND, t`Invitation not found`)
      const invitation = camel<Invitation>(row)
      return invitation.status === 'open'
        ? { ...invitation, cycle: cycleOf(invitation.billingCycle, invitation.cycleMonths) }
        : invitation
    },
  })
