/** Members' places in plans and how they stand. All times are ISO timestamps. */
import type { Payment } from './payments.ts'
import type { Settlement } from './plan.ts'

export type SeatStatus = 'paying' | 'active' | 'late' | 'ending' | 'ended'

interface Seat {
  id: string
  settlement: Settlement
  /** In EUR for one billing cycle, the fee not included. */
  memberPrice: number
  status: SeatStatus
  /** Until when it is paid. */
  paidUntil: string | null
  /** When it ends, once somebody has said so. */
  endsAt: string | null
  /** Since when its member is to get in: once it is paid, or from the approval on where the owner is paid directly. */
  admittedAt: string | null
  /** When the owner gave access, or until when they have to. */
  accessGivenAt: string | null
  accessDueAt: string | null
  /** Where the provider's own invitation went. */
  invitedAddress: string | null
  /** The member has said that it works, or nothing else in time. */
  accessWorks: boolean
  /** The problem that is open. */
  problemId: string | null
  /** In EUR: what an owner who is paid directly owes for time without access. */
  owedBack: number
}

/** A place as the person who has it sees it. */
export interface OwnSeat extends Seat {
  planId: string
  planName: string
  ownerId: string
  ownerName: string
  /** Payments through the site are taken from the person's coins first. */
  coinsFirst: boolean
  /** Having left can still be taken back. */
  mayStay: boolean
}

/** A place as the plan's owner sees it. All amounts in EUR. */
export interface PlanSeat extends Seat {
  memberId: string
  memberName: string
  avatarUrl: string | null
  /** Since when a payment is missing. */
  unpaidSince: string | null
  held: number
  earned: number
  /** When the next part of what is held becomes the owner's. */
  nextRelease: string | null
}

/** How far a place is on the way from payment to access. */
export type AccessStep = 'unpaid' | 'waiting' | 'check' | 'works'

export function accessStep({
  admittedAt,
  accessGivenAt,
  accessWorks,
}: Pick<Seat, 'admittedAt' | 'accessGivenAt' | 'accessWorks'>): AccessStep {
  if (!admittedAt) return 'unpaid'
  if (!accessGivenAt) return 'waiting'
  return accessWorks ? 'works' : 'check'
}

/** Where the period ends that a place is in, or null when none runs. `now` in ms. */
export function periodEnd(
  seat: Pick<Seat, 'paidUntil'>,
  open: readonly Pick<Payment, 'endsAt'>[],
  now: number,
): string | null {
  const ends = [seat.paidUntil, ...open.map(({ endsAt }) => endsAt)].filter((end) => end !== null)
  return ends.filter((end) => Date.parse(end) > now).sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null
}

/** What becomes of money that is paid for later, when the owner ends these places at once; a sentence for each way it was paid. */
export function unusedMoney(seats: readonly Pick<PlanSeat, 'settlement' | 'status'>[]): string[] {
  const paid = (how: Settlement) =>
    seats.some(({ settlement, status }) => settlement === how && status !== 'ended')
  return [
    ...(paid('potluck')
      ? ['What they paid through Potluck for the time after that goes back to them by itself.']
      : []),
    ...(paid('direct') ? ['What they paid you for the time after that, you owe them.'] : []),
  ]
}

/** A member may be taken out for not paying when a payment has been missing for so many days. */
const PATIENCE = 14

/** May the owner end a place for a payment that was due then? `now` in ms. */
export const isPatienceOver = (dueAt: string, now: number): boolean =>
  now - Date.parse(dueAt) >= PATIENCE * 24 * 60 * 60_000
