import type { BillingCycle, Settlement } from '#domain/plan.ts'
import { AppError, unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read, rpc } from '#lib/supabase.ts'

export const invitationKeys = {
  all: ['invitations'],
  ofPlan: (planId: string) => ['invitations', 'plan', planId],
  ofLink: (token: string, userId: string | null) => ['invitations', 'link', token, userId],
} as const

/** How the mail with the link fares; delayed after a failed attempt that is followed by another. */
export type MailStatus = 'waiting' | 'delayed' | 'sent' | 'failed'

/** A place kept for somebody, as the plan's owner sees it. */
export interface OpenInvitation {
  id: string
  email: string
  mailStatus: MailStatus
  /** ISO timestamp. */
  expiresAt: string
}

/** The invitations of a plan that still keep a place, oldest first. Only its owner gets any. */
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
    // An invitation expires without anything happening, so the list is asked for again when the first one does.
    refetchInterval: ({ state }) => untilFirstExpiry(state.data, Date.now()),
  })

const LONGEST_WAIT = 60 * 60_000

function untilFirstExpiry(open: OpenInvitation[] | undefined, now: number): number | false {
  if (!open || open.length === 0) return false
  const first = Math.min(...open.map(({ expiresAt }) => Date.parse(expiresAt)))
  return Math.min(Math.max(first - now + 1000, 1000), LONGEST_WAIT)
}

/** How the mail of one invitation fares at this moment. */
export async function askMailStatus(invitationId: string): Promise<MailStatus> {
  const wanted = read('subscription_invitations').select('mail_status').eq('id', invitationId)
  return unwrap(await wanted.single()).mail_status
}

export type InvitationStatus = 'open' | 'accepted' | 'declined' | 'withdrawn' | 'expired'

/** An invitation as the holder of its link sees it: whole while it is open, and then how it ended. */
export type Invitation = OfferedPlace | { status: Exclude<InvitationStatus, 'open'> }

/** A place kept for somebody. The price is for one billing cycle, without the fee. */
export interface OfferedPlace {
  status: 'open'
  /** The invited address. */
  email: string
  /** ISO timestamp. */
  expiresAt: string
  planId: string
  provider: string
  name: string
  description: string
  memberPrice: number
  currency: string
  cycle: BillingCycle
  settlement: Settlement
  feeRate: number
  /** ISO date, or null when nothing is scheduled. */
  nextPayment: string | null
  ownerName: string
  ownerAvatarUrl: string | null
}

/**
 * The invitation behind a mailed link, for a person or, with null, a visitor. Fails with PT404 for an unknown one, with
 * 42501 for somebody else's.
 */
export const invitationQuery = (token: string, userId: string | null) =>
  query({
    key: invitationKeys.ofLink(token, userId),
    load: async (signal): Promise<Invitation> => {
      const [row] = await rpc('get_invitation', { p_token: token }, signal)
      if (!row) throw new AppError('PT404', 'Invitation not found')
      const status = toStatus(row.status)
      if (status !== 'open') return { status }
      return {
        status,
        email: row.email,
        expiresAt: row.expires_at,
        planId: row.subscription_id,
        provider: row.provider,
        name: row.name,
        description: row.description,
        memberPrice: row.member_price,
        currency: row.currency,
        cycle: row.billing_cycle === 'yearly' ? 'yearly' : 'monthly',
        settlement: row.settlement === 'potluck' ? 'potluck' : 'direct',
        feeRate: row.fee_rate,
        nextPayment: row.next_payment,
        ownerName: row.owner_name,
        ownerAvatarUrl: row.owner_avatar_url,
      }
    },
  })

function toStatus(stored: string): InvitationStatus {
  return stored === 'open' || stored === 'accepted' || stored === 'declined' || stored === 'withdrawn'
    ? stored
    : 'expired'
}
