import { createFileRoute } from '@tanstack/react-router'
import { planTexts } from '#features/plans/plans.messages.ts'
import { PlanScreen } from './-plan/PlanScreen.tsx'

export const Route = createFileRoute('/_shell/manage-subscribed/$planId')({
  staticData: { openFailed: planTexts.openFailed },
  component: ManageSubscribed,
})

function ManageSubscribed() {
  return <PlanScreen planId={Route.useParams().planId} />
}
