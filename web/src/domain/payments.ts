/** Members' payments for their places: one per seat and period. */
import { t } from '@lingui/core/macro'
import { isLate } from '@potluck/supabase/late'
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

/**
 * A statement that money was paid directly: by the member about the payment or, for `repayment`, by the owner about a
 * debt. Times are ISO timestamps.
 */
export interface Claim {
  id: string
  kind: 'payment' | 'repayment'
  amount: number
  madeAt: string
  /** `unanswered`: no answer by the deadline, which counts as received. Staff decide about `disputed`. */
  status: 'open' | 'received' | 'unanswered' | 'denied' | 'disputed' | 'undecided' | 'void'
  /** The deadline for the receiver's answer or, in a dispute, for staff. */
  answerBy: string | null
  /** The claim was made after the place had ended. */
  afterEnd: boolean
  /** The receiver's words about what is missing. */
  denial: string | null
  closedAt: string | null
}

/** One payment for a period of a member's place, as both sides see it. Amounts in `currency`, times as ISO timestamps. */
export interface Payment {
  id: string
  seatId: string
  planId: string
  planName: string
  ownerId: string
  ownerName: string
  memberId: string
  memberName: string
  /** The id of the member's page; null for a guest, who has none. */
  memberPage: string | null
  memberAvatar: string | null
  /** The number of the payment within its seat: 1, 2, 3 … */
  number: number
  settlement: Settlement
  /** EUR, unless it is for an own plan in another currency. */
  currency: string
  share: number
  fee: number
  amount: number
  /** Null until the first period begins. */
  startsAt: string | null
  endsAt: string | null
  dueAt: string
  status: PaymentStatus
  /** False while an owner who is paid directly has not said how to pay; the payment is then neither due nor late. */
  payable: boolean
  claimedAt: string | null
  paidAt: string | null
  /** For a payment through the site: the parts paid with coins and by card, in EUR, and the kind of card payment. */
  coins: number
  card: number
  paidWith: 'card' | 'link' | 'sepa_debit' | null
  /** The part that was refunded to the member. */
  returned: number
  /** The part of the refund that the site bore, which does not reduce the owner's earnings. */
  fromGuarantee: number
  receiptNumber: string | null
  /** Invoices of the fee and their credit notes, in order; only those addressed to the reader. */
  invoices: readonly { id: string; number: string; corrects: string | null }[]
  /** The operator who charged the fee, if the receipt names one. */
  sellerName: string | null
  sellerAddress: string | null
  sellerTaxNumber: string | null
  /** The text that the member enters as reference of a transfer to the owner. */
  reference: string
  /** The owner's reason for saying that the payment has not arrived. */
  note: string | null
  /** When the owner last sent a reminder. */
  nudgedAt: string | null
  /** How a direct payment came to count as received. */
  receivedBy: 'owner' | 'statement' | 'silence' | 'staff' | null
  /** When the owner took "Received" back. */
  unconfirmedAt: string | null
  /** `leftUnpaidAt`: the place was used and ended without this payment. `waivedAt`: the owner waived the payment. */
  leftUnpaidAt: string | null
  /** When the plan was handed over to another owner; the payment is still owed to its own. */
  handedOverAt: string | null
  waivedAt: string | null
  /** The owner's debt for this payment, and when it was repaid or closed by staff. */
  owedBack: number
  repaidAt: string | null
  debtClosedAt: string | null
  /** In the order in which they were made. */
  claims: readonly Claim[]
}

/** The status of a payment, as shown to people. */
export type PaymentState =
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

/** The status of a payment at `now`, in ms. */
export function paymentStateOf(
  payment: Pick<Payment, 'status' | 'payable' | 'dueAt' | 'returned'> &
    Partial<Pick<Payment, 'note' | 'leftUnpaidAt' | 'waivedAt' | 'receivedBy'>>,
  now: number,
): PaymentState {
  switch (payment.status) {
    case 'due':
      if (payment.leftUnpaidAt) return 'left-unpaid'
      if (!payment.payable) return 'waiting'
      if (isLate(payment.dueAt, now)) return 'late'
      // The owner's denial postponed the due date by some days, but the member should pay now.
      return payment.note ? 'denied' : now >= Date.parse(payment.dueAt) ? 'due' : 'upcoming'
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

/** The least time between two reminders of a payment, in ms. */
const NUDGE_PAUSE = LIMITS.nudgePauseHours * 60 * 60_000

/** True if the owner's last reminder is too recent for another. `now` in ms. */
export const isReminded = ({ nudgedAt }: Pick<Payment, 'nudgedAt'>, now: number): boolean =>
  nudgedAt !== null && now - Date.parse(nudgedAt) < NUDGE_PAUSE

const HOUR = 60 * 60_000

/** True if the owner can still take "Received" back. `now` in ms. */
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

/** True while the owner owes something for this payment. */
export const isOwedBack = ({ owedBack, repaidAt, debtClosedAt }: Payment): boolean =>
  owedBack > 0 && !repaidAt && !debtClosedAt

export const claimOf = ({ claims }: Pick<Payment, 'claims'>, kind: Claim['kind']): Claim | undefined =>
  claims.findLast((claim) => claim.kind === kind)

/**
 * True if the receiver has denied a claim of this kind. A further claim then goes to staff, and must say how and when
 * the money was paid.
 */
export const wasDenied = ({ claims }: Pick<Payment, 'claims'>, kind: Claim['kind']): boolean =>
  claims.some((claim) => claim.kind === kind && claim.status === 'denied')

/** Returns the last claim if it went unanswered, and so counts as received, but can still be denied. `now` in ms. */
export function lateToDeny(payment: Pick<Payment, 'claims'>, kind: Claim['kind'], now: number): Claim | null {
  const claim = claimOf(payment, kind)
  const isDeniable =
    claim?.status === 'unanswered' &&
    (claim.afterEnd || kind === 'repayment') &&
    now - Date.parse(claim.closedAt ?? '') < LIMITS.unpaidMemoryHours * HOUR
  return isDeniable ? claim : null
}

/** The statuses of payments that are neither paid nor cancelled. */
export const OPEN = [
  'due',
  'claimed',
  'disputed',
  'charging',
  'processing',
  'needs-action',
  'failed',
] as const satisfies PaymentStatus[]

/** How a payment was made, in words; empty for a payment that was not made. */
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
