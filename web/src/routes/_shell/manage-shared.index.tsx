import { createFileRoute } from '@tanstack/react-router'
import { planTexts } from '#features/plans/shared-plans/plans.messages.ts'
import { PlanError } from './-plan/PlanStates.tsx'

/** A link that lost its plan's id. */
export const Route = createFileRoute('/_shell/manage-shared/')({
  component: () => <PlanError message={planTexts.idNeeded} />,
})
