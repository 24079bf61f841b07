import { RuleCard } from '#features/plans/catalogue/RuleCard.tsx'
import AccessCard from '#features/trust/access/AccessCard.tsx'
import { PastProblems } from '#features/trust/problems/PlanProblems.tsx'
import { Sections } from '#ui/Sections.tsx'
import type { PlanViewProps } from './PlanStates.tsx'

/** The owner's section about access: the access card, the provider's rules, and past problems. */
export function OwnerAccess({ plan, user }: Omit<PlanViewProps, 'onChat'>) {
  return (
    <Sections>
      <AccessCard planId={plan.id} isOwner />
      <RuleCard provider={plan.provider} plan={plan.name} heading="h3" />
      <PastProblems planId={plan.id} userId={user.id} />
    </Sections>
  )
}
