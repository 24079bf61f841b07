import { RuleCard } from '#features/catalogue/RuleCard.tsx'
import { QuestionsCard } from '#features/chat/QuestionsCard.tsx'
import { MemberPaymentsCard } from '#features/payments/MemberPaymentsCard.tsx'
import { PlanTermsCard } from '#features/payments/PlanTermsCard.tsx'
import { FindingCard } from '#features/plans/FindingCard.tsx'
import { InstantCard } from '#features/plans/InstantCard.tsx'
import { PastProblems } from '#features/problems/PlanProblems.tsx'
import { ReviewsToWrite } from '#features/reviews/ReviewsToWrite.tsx'
import type { PlanViewProps } from './PlanScreen.tsx'

/** The money of a plan, and what its owner looks at now and then; loads after the rest of the plan's page. */
export default function OwnerRest({ plan, user, onChat }: Pick<PlanViewProps, 'plan' | 'user' | 'onChat'>) {
  return (
    <>
      <QuestionsCard plan={plan} userId={user.id} onChat={onChat} />
      <ReviewsToWrite planId={plan.id} />
      <MemberPaymentsCard plan={plan} />
      <PlanTermsCard plan={plan} />
      <InstantCard plan={plan} userId={user.id} />
      <FindingCard plan={plan} userId={user.id} />
      <PastProblems planId={plan.id} userId={user.id} />
      <RuleCard provider={plan.provider} plan={plan.name} heading="h3" />
    </>
  )
}
