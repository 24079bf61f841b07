/** Finds the next step that a person should take about a plan: the first that applies, or null. */
import { MINIMUM_WITHDRAWAL } from './coins.ts'
import { hoursLeft } from './expiry.ts'
import type { Payment } from './payments.ts'
import type { Plan } from './plan.ts'
import type { Problem } from './problems.ts'
import { accessStep, type OwnSeat, type PlanSeat } from './seats.ts'
import { isFull, openPlaces } from './slots.ts'
import { type StartFacts, type StartStep, startSteps } from './start-steps.ts'

interface OwnerFacts extends StartFacts {
  plan: StartFacts['plan'] & Pick<Plan, 'ownerMaxMembers'>
  requests: readonly { requestedAt: string }[]
  problems: readonly Problem[]
  /** Payments that are not settled yet, oldest first. */
  payments: readonly Payment[]
  /** The time when a member who knows the password left; null if none has. */
  passwordDue: string | null
  /** Coins that cannot be paid out because there is no bank account. */
  strandedCoins: number
}

export type OwnerStep =
  | { kind: 'requests' }
  | { kind: 'access'; seat: PlanSeat }
  | { kind: 'problem'; problem: Problem }
  | { kind: 'confirm'; payment: Payment }
  | { kind: 'password' }
  | { kind: 'start'; steps: StartStep[] }
  | { kind: 'paid-out'; coins: number }
  | { kind: 'share'; places: number }

/** `now` in ms. */
export function ownerStep(facts: OwnerFacts, now: number): OwnerStep | null {
  const { plan, requests, seats, problems, payments, passwordDue, strandedCoins } = facts
  if (requests.some(({ requestedAt }) => hoursLeft(requestedAt, now) > 0)) return { kind: 'requests' }
  const seat = seats.filter((one) => accessStep(one) === 'waiting').sort(byAccessDue)[0]
  if (seat) return { kind: 'access', seat }
  const problem = mine(problems, 'owner')
  if (problem) return { kind: 'problem', problem }
  const payment = payments.find(({ status }) => status === 'claimed')
  if (payment) return { kind: 'confirm', payment }
  if (passwordDue) return { kind: 'password' }
  const steps = startSteps(facts)
  if (steps) return { kind: 'start', steps }
  if (strandedCoins >= MINIMUM_WITHDRAWAL) return { kind: 'paid-out', coins: strandedCoins }
  // If there is a waiting list, free places are offered to the people on it instead.
  if (plan.status === 'active' && !isFull(plan) && plan.waiting === 0)
    return { kind: 'share', places: openPlaces(plan) }
  return null
}

interface MemberFacts {
  seat: OwnSeat | undefined
  /** Payments that are not settled yet. */
  open: readonly Payment[]
  /** The vault's entry, if this member may open it. */
  entry: { opened: boolean } | null
  problems: readonly Problem[]
  /** True if the owner has proposed new terms that the member has not answered. */
  isAsked: boolean
}

export type MemberStep =
  | { kind: 'pay'; payment: Payment }
  | { kind: 'open' }
  | { kind: 'confirm' }
  | { kind: 'problem'; problem: Problem }
  | { kind: 'terms' }

export function memberStep({ seat, open, entry, problems, isAsked }: MemberFacts): MemberStep | null {
  // Nothing is charged while the owner is suspended.
  const payment = open.find(
    ({ status, payable }) =>
      !seat?.pausedUntil &&
      ((status === 'due' && payable) || status === 'needs-action' || status === 'failed'),
  )
  if (payment) return { kind: 'pay', payment }
  if (seat && !seat.problemId) {
    if (entry && !entry.opened) return { kind: 'open' }
    // Only payments through the site are held until the member confirms access.
    if (accessStep(seat) === 'check' && seat.settlement === 'potluck') return { kind: 'confirm' }
  }
  const problem = mine(problems, 'member')
  if (problem) return { kind: 'problem', problem }
  return isAsked ? { kind: 'terms' } : null
}

/** The problem with the least time left among those that wait for this side. */
const mine = (problems: readonly Problem[], side: Problem['turn']) =>
  problems.filter(({ turn }) => turn === side).sort((a, b) => byTime(a.dueAt, b.dueAt))[0]

const byAccessDue = (a: PlanSeat, b: PlanSeat) => byTime(a.accessDueAt, b.accessDueAt)

/** Sorts by deadline, entries without one last. */
const byTime = (a: string | null, b: string | null) =>
  (a ? Date.parse(a) : Number.MAX_VALUE) - (b ? Date.parse(b) : Number.MAX_VALUE)
