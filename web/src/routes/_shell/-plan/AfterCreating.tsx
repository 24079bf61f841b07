import { useQuery } from '@tanstack/react-query'
import type { Plan } from '#domain/plan.ts'
import { ownedPlansQuery } from '#features/plans/shared-plans/plans.queries.ts'
import { StartSteps } from './StartSteps.tsx'
import { useOwnerStep } from './use-owner-step.ts'

interface AfterCreatingProps {
  planId: string
  userId: string
}

/** The first steps for a plan just created, shown above the owner's list of plans. */
export default function AfterCreating({ planId, userId }: AfterCreatingProps) {
  const plan = useQuery(ownedPlansQuery(userId)).data?.find(({ id }) => id === planId)
  return plan ? <Steps plan={plan} userId={userId} /> : null
}

function Steps({ plan, userId }: { plan: Plan; userId: string }) {
  const step = useOwnerStep(plan, userId)
  return step?.kind === 'start' ? <StartSteps plan={plan} steps={step.steps} /> : null
}
