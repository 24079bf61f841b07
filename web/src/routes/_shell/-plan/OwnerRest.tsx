import { PlanTermsCard } from '#features/money/payments/PlanTermsCard.tsx'
import { RuleCard } from '#features/plans/catalogue/RuleCard.tsx'
import { FindingCard } from '#features/plans/shared-plans/FindingCard.tsx'
import { InstantCard } from '#features/plans/shared-plans/InstantCard.tsx'
import { PastProblems } from '#features/trust/problems/PlanProblems.tsx'
import { ReviewsToWrite } from '#features/trust/reviews/ReviewsToWrite.tsx'
import type { PlanViewProps } from './PlanStates.tsx'

/** What an owner sets once and looks up now and then; loads after the rest of the page. */
export default function OwnerRest({ plan, user }: Pick<PlanViewProps, 'plan' | 'user'>) {
  return (
    <>
      <FindingCard plan={plan} userId={user.id} />
      <PlanTermsCard plan={plan} />
      <InstantCard plan={plan} userId={user.id} />
      <ReviewsToWrite planId={plan.id} />
      <RuleCard provider={plan.provider} plan={plan.name} heading="h3" />
      <PastProblems planId={plan.id} userId={user.id} />
    </>
  )
}
