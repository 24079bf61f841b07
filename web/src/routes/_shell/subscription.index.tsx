import { createFileRoute } from '@tanstack/react-router'
import { planTexts } from '#features/plans/shared-plans/plans.messages.ts'
import { PlanError } from './-plan/PlanStates.tsx'

/** The page for a link without a plan's id. */
export const Route = createFileRoute('/_shell/subscription/')({
  component: () => <PlanError message={planTexts.idNeeded} />,
})
