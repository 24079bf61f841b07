/** What members pay for their places: one payment per seat and period. */
import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import type { Settlement } from './plan.ts'

export type PaymentStatus =
  | 'due'
  | 'claimed'
  | 'disputed'
  | 'charging'
  | 'processing'
  | 'needs-action'
  | 'failed'
  | 'paid'
  | 'closed'
  | 'given-back'
  | 'cancelled'

/** What one side of a direct payment says they have paid: the member, or as `repayment` the owner what they owed. Times are ISO timestamps. */
export interface Claim {
  id: string
  kind: 'payment' | 'repayment'
  /** In EUR. */
  amount: number
  madeAt: string
  /** Silence counts as received, as `unanswered`; staff decides what is `disputed`. */
  status: 'open' | 'received' | 'unanswered' | 'denied' | 'disputed' | 'undecided' | 'void'
  /** The deadline of the receiver or, in a dispute, of staff. */
  answerBy: string | null
  /** The place had ended by then. */
  afterEnd: boolean
  /** What the receiver says is missing. */
  denial: string | null
  closedAt: string | null
}

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
  /** When it was first due, if the owner has denied it since. */
  firstDueAt: string | null
  /** How a direct payment came to count as received. */
  receivedBy: 'owner' | 'statement' | 'silence' | 'staff' | null
  /** When the owner took "Received" back. */
  unconfirmedAt: string | null
  /** When the place ended after it had been used and this not paid, and when the owner let that go. */
  leftUnpaidAt: string | null
  waivedAt: string | null
  /** What its owner owes back, and when that was paid back or closed by staff. */
  owedBack: number
  repaidAt: string | null
  debtClosedAt: string | null
  /** In the order in which they were made. */
  claims: readonly Claim[]
}

/** Where a payment stands, as shown to people. */
export type Standing =
  | 'waiting'
  | 'upcoming'
  | 'denied'
  | 'due'
  | 'late'
  | 'left-unpaid'
  | 'claimed'
  | 'disputed'
  | 'charging'
  | 'processing'
  | 'failed'
  | 'paid'
  | 'unanswered'
  | 'partly-returned'
  | 'returned'
  | 'cancelled'
  | 'waived'

/** A payment is late some days after it is due, since a transfer may take that long. */
const GRACE = LIMITS.paymentGraceHours * 60 * 60_000

/** `now` in ms. */
export function standingOf(
  payment: Pick<Payment, 'status' | 'payable' | 'dueAt' | 'returned'> &
    Partial<Pick<Payment, 'note' | 'leftUnpaidAt' | 'waivedAt' | 'receivedBy'>>,
  now: number,
): Standing {
  const late = now - Date.parse(payment.dueAt)
  switch (payment.status) {
    case 'due':
      if (payment.leftUnpaidAt) return 'left-unpaid'
      if (!payment.payable) return 'waiting'
      if (late >= GRACE) return 'late'
      // It is due again some days later, but waits for the member now.
      return payment.note ? 'denied' : late >= 0 ? 'due' : 'upcoming'
    case 'needs-action':
    case 'failed':
      return 'failed'
    case 'paid':
    case 'closed':
      if (payment.receivedBy === 'silence') return 'unanswered'
      return payment.returned > 0 ? 'partly-returned' : 'paid'
    case 'cancelled':
      return payment.waivedAt ? 'waived' : 'cancelled'
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

const HOUR = 60 * 60_000

/** Whether the owner can still take "Received" back. `now` in ms. */
export const mayTakeBack = (
  { status, receivedBy, unconfirmedAt, owedBack, paidAt }: Payment,
  now: number,
): boolean =>
  status === 'paid' &&
  (receivedBy === 'owner' || receivedBy === 'statement') &&
  !unconfirmedAt &&
  owedBack === 0 &&
  paidAt !== null &&
  now - Date.parse(paidAt) < LIMITS.receiptUndoTimeHours * HOUR

/** What its owner still owes back. */
export const isOwedBack = ({ owedBack, repaidAt, debtClosedAt }: Payment): boolean =>
  owedBack > 0 && !repaidAt && !debtClosedAt

/** The latest claim of a kind. */
export const claimOf = ({ claims }: Pick<Payment, 'claims'>, kind: Claim['kind']): Claim | undefined =>
  claims.findLast((claim) => claim.kind === kind)

/** Whether the receiver has denied such a claim, so that the next one goes to staff and says how and when it was paid. */
export const wasDenied = ({ claims }: Pick<Payment, 'claims'>, kind: Claim['kind']): boolean =>
  claims.some((claim) => claim.kind === kind && claim.status === 'denied')

/** The claim that counts as received by silence and can still be denied, which takes it to staff. `now` in ms. */
export function lateToDeny(payment: Pick<Payment, 'claims'>, kind: Claim['kind'], now: number): Claim | null {
  const claim = claimOf(payment, kind)
  const isDeniable =
    claim?.status === 'unanswered' &&
    (claim.afterEnd || kind === 'repayment') &&
    now - Date.parse(claim.closedAt ?? '') < LIMITS.unpaidMemoryHours * HOUR
  return isDeniable ? claim : null
}

/** Neither paid nor cancelled. */
export const OPEN = [
  'due',
  'claimed',
  'disputed',
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
