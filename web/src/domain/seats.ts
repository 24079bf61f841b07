/** Members' places in plans and how they stand. All times are ISO timestamps. */
import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import { fullDate, fullDay } from './dates.ts'
import { formatMoney, toCents } from './money.ts'
import type { Payment } from './payments.ts'
import type { Settlement } from './plan.ts'

export type SeatStatus = 'paying' | 'active' | 'late' | 'ending' | 'ended'

interface Seat {
  id: string
  settlement: Settlement
  /** In EUR for one billing cycle, the fee not included. */
  memberPrice: number
  status: SeatStatus
  paidUntil: string | null
  /** When it ends, if it does. */
  endsAt: string | null
  /** Since when the member is entitled to access: from the payment, or from the approval if the owner is paid directly. */
  admittedAt: string | null
  /** When the owner gave access, and their deadline for it. */
  accessGivenAt: string | null
  accessDueAt: string | null
  /** Where the provider's own invitation went. */
  invitedAddress: string | null
  /** The member has confirmed that it works, or reported nothing in time. */
  accessWorks: boolean
  /** The open problem. */
  problemId: string | null
  /** What an owner who is paid directly owes for time without access, in EUR. */
  owedBack: number
  /** Until when it is paused because the other side is suspended, and whether it then ends or goes on. */
  pausedUntil: string | null
  pauseEndsPlace: boolean | null
}

/** A place as its member sees it. */
export interface OwnSeat extends Seat {
  planId: string
  planName: string
  ownerId: string
  ownerName: string
  /** Payments through the site use the person's coins first. */
  coinsFirst: boolean
  /** Leaving can still be undone. */
  mayStay: boolean
  /** Until when leaving now is a withdrawal from the contract; null if it is not. */
  withdrawUntil: string | null
  /** What withdrawing now gives back, in EUR; null while an open problem holds it. */
  backNow: number | null
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
  /** When the owner earns the next part of what is held. */
  nextRelease: string | null
  /** What the member gets back, or is owed, if the owner ends the place now. */
  unused: number
}

/** How far a place has come from payment to access. */
export type AccessStep = 'unpaid' | 'waiting' | 'check' | 'works'

export function accessStep({
  admittedAt,
  accessGivenAt,
  accessDueAt,
  accessWorks,
}: Pick<Seat, 'admittedAt' | 'accessGivenAt' | 'accessDueAt' | 'accessWorks'>): AccessStep {
  if (!admittedAt) return 'unpaid'
  // Who pays the owner directly is admitted before they pay, which sets the deadline.
  if (!accessGivenAt) return accessDueAt ? 'waiting' : 'unpaid'
  return accessWorks ? 'works' : 'check'
}

/** The last day on which the contract about a place can be withdrawn from, written out; null if it cannot. */
export const lastDayToWithdraw = ({ withdrawUntil }: Pick<OwnSeat, 'withdrawUntil'>): string | null =>
  withdrawUntil && fullDay(new Date(Date.parse(withdrawUntil) - 1).toISOString())

/** The end of a place's current period, or null without one. `now` in ms. */
export function periodEnd(
  seat: Pick<Seat, 'paidUntil'>,
  open: readonly Pick<Payment, 'endsAt'>[],
  now: number,
): string | null {
  const ends = [seat.paidUntil, ...open.map(({ endsAt }) => endsAt)].filter((end) => end !== null)
  return ends.filter((end) => Date.parse(end) > now).sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null
}

/** Until when the owner has to give access, and what their member gets otherwise. */
export const accessPromise = ({ ownerName, accessDueAt, settlement }: OwnSeat): string => {
  const date = accessDueAt ? fullDate(accessDueAt) : ''
  return settlement === 'direct'
    ? t`${ownerName} has until ${date} to give you access. Otherwise they owe you a full refund.`
    : t`${ownerName} has until ${date} to give you access. Otherwise you get a full refund automatically.`
}

/** What a suspension of the owner means for their member; null without one. */
export function ownerSuspended({
  pausedUntil,
  pauseEndsPlace,
  ownerName,
  settlement,
}: OwnSeat): string | null {
  if (!pausedUntil) return null
  const until = fullDate(pausedUntil)
  if (!pauseEndsPlace) return t`Nothing is charged until ${until}. Then your place goes on as before.`
  return settlement === 'direct'
    ? t`Nothing is charged. If the suspension isn’t lifted by ${until}, your place ends, and ${ownerName} owes you what you paid for the time since.`
    : t`Nothing is charged. If the suspension isn’t lifted by ${until}, your place ends, and you get back what you paid for the time since.`
}

/** What a suspension of the member means for the plan's owner; null without one. */
export function memberSuspended({ pausedUntil, pauseEndsPlace }: PlanSeat): string | null {
  if (!pausedUntil) return null
  const until = fullDate(pausedUntil)
  return pauseEndsPlace
    ? t`Paused, and nothing is charged. The place ends on ${until} unless the member’s suspension is lifted.`
    : t`Paused until ${until}. Nothing is charged until then.`
}

/** What happens to money paid in advance if the owner ends these places now: one sentence for each way it was paid. */
export function unusedMoney(seats: readonly Pick<PlanSeat, 'settlement' | 'unused'>[]): string[] {
  const paid = (how: Settlement) =>
    seats.reduce((cents, { settlement, unused }) => cents + (settlement === how ? toCents(unused) : 0), 0) /
    100
  const [back, owed] = [paid('potluck'), paid('direct')]
  return [
    ...(back > 0 ? [t`They get back the unused ${formatMoney(back)} they paid through Potluck.`] : []),
    ...(owed > 0 ? [t`You owe them the unused ${formatMoney(owed)} they paid you.`] : []),
  ]
}

/** Whether the owner may end a place for this payment, which they may have denied since it was first due. `now` in ms. */
export const isPatienceOver = (
  { dueAt, firstDueAt }: Pick<Payment, 'dueAt' | 'firstDueAt'>,
  now: number,
): boolean =>
  Date.parse(dueAt) <= now &&
  now - Date.parse(firstDueAt ?? dueAt) >= LIMITS.directPatienceHours * 60 * 60_000
