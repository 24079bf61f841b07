import { createFileRoute } from '@tanstack/react-router'
import { planTexts } from '#features/plans/plans.messages.ts'
import { PlanScreen } from './-plan/PlanScreen.tsx'

export const Route = createFileRoute('/_shell/manage-shared/$planId')({
  staticData: { openFailed: planTexts.openFailed },
  component: ManageShared,
})

function ManageShared() {
  return <PlanScreen planId={Route.useParams().planId} />
}
