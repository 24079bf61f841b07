/** Steps that prepare a new plan for its members. */
import { isOwnPlan, type Plan } from './plan.ts'
import type { PlanSeat } from './seats.ts'

export interface StartFacts {
  plan: Pick<Plan, 'status' | 'settlement' | 'currentMembers' | 'waiting' | 'cycle'>
  seats: readonly PlanSeat[]
  /** A person has asked for a place, or has been invited. */
  found: boolean
  /** The vault has an entry for the members. */
  hasEntry: boolean
  /** The owner has said how to pay them directly. */
  saysHowPaid: boolean
}

export interface StartStep {
  kind: 'share' | 'access' | 'pay'
  done: boolean
}

/** True if any member pays the owner directly, or a new one would. */
export const isPaidDirectly = (plan: Pick<Plan, 'settlement'>, seats: readonly PlanSeat[]): boolean =>
  plan.settlement === 'direct' || seats.some(({ settlement }) => settlement === 'direct')

/** The steps of a new plan in order; null once all are done. Members of an own plan may need no access from its owner. */
export function startSteps({ plan, seats, found, hasEntry, saysHowPaid }: StartFacts): StartStep[] | null {
  if (plan.status === 'rejected') return null
  const steps: StartStep[] = [
    { kind: 'share', done: found || plan.currentMembers > 1 || plan.waiting > 0 },
    ...(isOwnPlan(plan)
      ? []
      : [
          {
            kind: 'access',
            done: hasEntry || seats.some(({ accessGivenAt }) => accessGivenAt !== null),
          } as const,
        ]),
    { kind: 'pay', done: saysHowPaid || !isPaidDirectly(plan, seats) },
  ]
  return steps.every(({ done }) => done) ? null : steps
}
