/** What members pay for their places: one payment per seat and period. */
import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import type { Settlement } from './plan.ts'

export type PaymentStatus =
  | 'due'
  | 'claimed'
  | 'charging'
  | 'processing'
  | 'needs-action'
  | 'failed'
  | 'paid'
  | 'closed'
  | 'given-back'
  | 'cancelled'

/** One paid stretch of a member's place, as both sides see it. All amounts in EUR, all times ISO timestamps. */
export interface Payment {
  id: string
  seatId: string
  planId: string
  planName: string
  ownerId: string
  ownerName: string
  memberId: string
  memberName: string
  memberAvatar: string | null
  /** 1, 2, 3 … */
  number: number
  settlement: Settlement
  share: number
  fee: number
  amount: number
  /** Null until the first period begins. */
  startsAt: string | null
  endsAt: string | null
  dueAt: string
  status: PaymentStatus
  /** False while its owner, who is paid directly, has not said how: then it is neither due nor late. */
  payable: boolean
  claimedAt: string | null
  paidAt: string | null
  /** The parts paid with coins and by card, through the site, and what that card is. */
  coins: number
  card: number
  paidWith: 'card' | 'link' | 'sepa_debit' | null
  /** The part that went back to the member. */
  returned: number
  /** What of it the site bore, so that it is not missing from what the owner earned. */
  fromGuarantee: number
  receiptNumber: string | null
  /** Invoices of the fee and credit notes, in their order; those whose buyer reads this. */
  invoices: readonly { id: string; number: string; corrects: string | null }[]
  /** Who ran the site and charged the fee, if the receipt says so. */
  sellerName: string | null
  sellerAddress: string | null
  sellerTaxNumber: string | null
  /** What the member writes into a transfer to the owner. */
  reference: string
  /** The owner's reason for saying that it has not arrived. */
  note: string | null
  /** When the owner last asked for it. */
  nudgedAt: string | null
}

/** Where a payment stands, as shown to people. */
export type Standing =
  | 'waiting'
  | 'upcoming'
  | 'due'
  | 'late'
  | 'claimed'
  | 'charging'
  | 'processing'
  | 'failed'
  | 'paid'
  | 'partly-returned'
  | 'returned'
  | 'cancelled'

/** A payment is late some days after it is due, since a transfer may take that long. */
const GRACE = LIMITS.paymentGraceHours * 60 * 60_000

/** `now` in ms. */
export function standingOf(
  payment: Pick<Payment, 'status' | 'payable' | 'dueAt' | 'returned'>,
  now: number,
): Standing {
  const late = now - Date.parse(payment.dueAt)
  switch (payment.status) {
    case 'due':
      if (!payment.payable) return 'waiting'
      return late >= GRACE ? 'late' : late >= 0 ? 'due' : 'upcoming'
    case 'needs-action':
    case 'failed':
      return 'failed'
    case 'paid':
    case 'closed':
      return payment.returned > 0 ? 'partly-returned' : 'paid'
    case 'given-back':
      return 'returned'
    default:
      return payment.status
  }
}

/** An owner asks for a payment once in this time. */
const NUDGE_PAUSE = LIMITS.nudgePauseHours * 60 * 60_000

/** Whether the owner has asked for it so lately that they may not yet again. `now` in ms. */
export const isReminded = ({ nudgedAt }: Pick<Payment, 'nudgedAt'>, now: number): boolean =>
  nudgedAt !== null && now - Date.parse(nudgedAt) < NUDGE_PAUSE

/** Neither paid nor cancelled. */
export const OPEN = [
  'due',
  'claimed',
  'charging',
  'processing',
  'needs-action',
  'failed',
] as const satisfies PaymentStatus[]

/** Paid by, in words; empty if it has not been. */
export function paidHow({ settlement, status, coins, card, paidWith, ownerName }: Payment): string {
  if (!['paid', 'closed', 'given-back'].includes(status)) return ''
  if (settlement === 'direct') return t`Directly to ${ownerName}`
  if (card === 0 && coins > 0) return t`With coins`
  const parts = { card: card.toFixed(2), coins: coins.toFixed(2) }
  if (paidWith === 'sepa_debit')
    return coins === 0
      ? t`By direct debit`
      : t`${{ card: parts.card }} EUR by direct debit, ${{ coins: parts.coins }} EUR with coins`
  if (paidWith === 'link')
    return coins === 0
      ? t`With Link`
      : t`${{ card: parts.card }} EUR with Link, ${{ coins: parts.coins }} EUR with coins`
  return coins === 0 ? t`By card` : t`${card.toFixed(2)} EUR by card, ${coins.toFixed(2)} EUR with coins`
}
