import { useQuery } from '@tanstack/react-query'
import { isOwnPlan } from '#domain/plan.ts'
import { offerQuery } from '#features/plans/browse/market.queries.ts'
import { PriceHistory } from '#features/plans/browse/PriceHistory.tsx'
import { PastProblems } from '#features/trust/problems/PlanProblems.tsx'
import type { PlanViewProps } from './PlanStates.tsx'

interface MemberRestProps extends Pick<PlanViewProps, 'plan' | 'user'> {
  /** False if the member's place has other terms than a new place, whose price the chart shows. */
  hasPlanTerms: boolean
}

/** The parts of a member's plan page that are rarely needed; loaded after the rest. */
export default function MemberRest({ plan, user, hasPlanTerms }: MemberRestProps) {
  const { data: offer } = useQuery(offerQuery(plan.id))
  return (
    <>
      <PastProblems planId={plan.id} userId={user.id} />
      {offer && hasPlanTerms && !isOwnPlan(plan) && <PriceHistory offer={offer} />}
    </>
  )
}
