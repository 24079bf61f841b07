import { RuleCard } from '#features/plans/catalogue/RuleCard.tsx'
import AccessCard from '#features/trust/access/AccessCard.tsx'
import { PastProblems } from '#features/trust/problems/PlanProblems.tsx'
import { Sections } from '#ui/Sections.tsx'
import type { PlanViewProps } from './PlanStates.tsx'

/** How members get into a plan, what its provider allows, and what went wrong before. */
export function OwnerAccess({ plan, user }: Omit<PlanViewProps, 'onChat'>) {
  return (
    <Sections>
      <AccessCard planId={plan.id} isOwner />
      <RuleCard provider={plan.provider} plan={plan.name} heading="h3" />
      <PastProblems planId={plan.id} userId={user.id} />
    </Sections>
  )
}
