/** Members' places in plans and their state. All times are ISO timestamps. */
import { t } from '@lingui/core/macro'
import { fullDate, fullDay } from './dates.ts'
import { formatMoney, toCents } from './money.ts'
import type { Payment } from './payments.ts'
import type { Cycle, Plan, Settlement } from './plan.ts'

export type SeatStatus = 'paying' | 'active' | 'late' | 'ending' | 'ended'

interface Seat {
  id: string
  settlement: Settlement
  /** The currency of all amounts. */
  currency: string
  /** For one billing cycle, the fee not included. */
  memberPrice: number
  status: SeatStatus
  paidUntil: string | null
  /** The time when the place ends; null if no end is set. */
  endsAt: string | null
  /**
   * When the member became entitled to access: with the payment, or with the approval if the owner is paid directly.
   */
  admittedAt: string | null
  /** When the owner gave access, and their deadline for giving it. */
  accessGivenAt: string | null
  accessDueAt: string | null
  /** The email address to which the provider sent its own invitation. */
  invitedAddress: string | null
  /** True once the member has confirmed that access works, or reported no problem in time. */
  accessWorks: boolean
  /** The open problem, if any. */
  problemId: string | null
  /** The debt of an owner who is paid directly, for time without access. */
  owedBack: number
  /**
   * The end of a pause, set while the other side is suspended; `pauseEndsPlace` is true if the place ends with the
   * pause.
   */
  pausedUntil: string | null
  pauseEndsPlace: boolean | null
}

/** A place as its member sees it. */
export interface OwnSeat extends Seat {
  planId: string
  planName: string
  ownerId: string
  ownerName: string
  /** When the member took the place. */
  openedAt: string
  cycle: Cycle
  /** Payments through the site use the person's coins first. */
  coinsFirst: boolean
  /** Leaving can still be cancelled. */
  mayStay: boolean
  /** Before this time, leaving is a contract withdrawal; null if leaving never is. */
  withdrawUntil: string | null
  /** When the member asked for the place to begin immediately. */
  beginsAtOnceAt: string | null
  /**
   * The refund in EUR, from the site or from an owner who is paid directly, if the member withdrew from the contract
   * now; null while an open problem holds the money.
   */
  backNow: number | null
}

/** A place as the plan's owner sees it. */
export interface PlanSeat extends Seat {
  memberId: string
  memberName: string
  avatarUrl: string | null
  /** In an own plan with unequal shares, the amount or percentage given, and the place whose member pays it as well. */
  part: number | null
  carriedBy: string | null
  /** True if the member has no account. */
  isGuest: boolean
  /** The guest whose place this account has taken over, until the owner says that it is the same person. */
  claimedName: string | null
  /** The time since which a payment has been missing. */
  unpaidSince: string | null
  /** The id of the unpaid payment that allows the owner to end the place, and the time from which they may do so. */
  mayEndOver: string | null
  mayEndFrom: string | null
  held: number
  earned: number
  /** The time when the owner earns the next part of the held money. */
  nextRelease: string | null
  /** The refund or debt to the member if the owner ends the place now. */
  unused: number
}

/** The steps of a place from payment to access. */
export type AccessStep = 'unpaid' | 'waiting' | 'check' | 'works'

export function accessStep({
  admittedAt,
  accessGivenAt,
  accessDueAt,
  accessWorks,
}: Pick<Seat, 'admittedAt' | 'accessGivenAt' | 'accessDueAt' | 'accessWorks'>): AccessStep {
  if (!admittedAt) return 'unpaid'
  // A member who pays the owner directly is admitted before paying; being admitted sets `accessDueAt`.
  if (!accessGivenAt) return accessDueAt ? 'waiting' : 'unpaid'
  return accessWorks ? 'works' : 'check'
}

/** The last day for a contract withdrawal from a place, written out; null if there is none. */
export const lastContractWithdrawalDay = ({ withdrawUntil }: Pick<OwnSeat, 'withdrawUntil'>): string | null =>
  withdrawUntil && fullDay(new Date(Date.parse(withdrawUntil) - 1).toISOString())

/** Returns the end of a place's current period, or null if there is none. `now` in ms. */
export function periodEnd(
  seat: Pick<Seat, 'paidUntil'>,
  open: readonly Pick<Payment, 'endsAt'>[],
  now: number,
): string | null {
  const ends = [seat.paidUntil, ...open.map(({ endsAt }) => endsAt)].filter((end) => end !== null)
  return ends.filter((end) => Date.parse(end) > now).sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null
}

/** The owner's deadline for giving access, and the member's compensation after it, in words. */
export const accessPromise = ({ ownerName, accessDueAt, settlement }: OwnSeat): string => {
  const date = accessDueAt ? fullDate(accessDueAt) : ''
  return settlement === 'direct'
    ? t`${ownerName} has until ${date} to give you access. Otherwise they owe you a full refund.`
    : t`${ownerName} has until ${date} to give you access. Otherwise you get a full refund automatically.`
}

/** Tells the member the effects of the owner's suspension; null if the owner is not suspended. */
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

/** Tells the plan's owner the effects of the member's suspension; null if the member is not suspended. */
export function memberSuspended({ pausedUntil, pauseEndsPlace }: PlanSeat): string | null {
  if (!pausedUntil) return null
  const until = fullDate(pausedUntil)
  return pauseEndsPlace
    ? t`Paused, and nothing is charged. The place ends on ${until} unless the member’s suspension is lifted.`
    : t`Paused until ${until}. Nothing is charged until then.`
}

/**
 * Tells the owner what happens to prepaid money if these places of one plan end now: a sentence for each way of paying.
 */
export function unusedMoney(
  seats: readonly Pick<PlanSeat, 'settlement' | 'unused' | 'currency'>[],
): string[] {
  const paid = (how: Settlement) =>
    seats.reduce((cents, { settlement, unused }) => cents + (settlement === how ? toCents(unused) : 0), 0) /
    100
  const [back, owed] = [paid('potluck'), paid('direct')]
  return [
    ...(back > 0 ? [t`They get back the unused ${formatMoney(back)} they paid through Potluck.`] : []),
    ...(owed > 0 ? [t`You owe them the unused ${formatMoney(owed, seats[0]?.currency)} they paid you.`] : []),
  ]
}

/** A plan with the terms of a member's place, which may differ from the plan's current terms. */
export const termsOf = (plan: Plan, { settlement, memberPrice }: OwnSeat): Plan => ({
  ...plan,
  settlement,
  memberPrice,
})
