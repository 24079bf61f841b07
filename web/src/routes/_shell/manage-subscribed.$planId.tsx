import { createFileRoute } from '@tanstack/react-router'
import { PlanScreen } from './-plan/PlanScreen.tsx'

export const Route = createFileRoute('/_shell/manage-subscribed/$planId')({ component: ManageSubscribed })

function ManageSubscribed() {
  return <PlanScreen planId={Route.useParams().planId} />
}
