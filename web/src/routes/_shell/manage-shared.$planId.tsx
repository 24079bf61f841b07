import { createFileRoute } from '@tanstack/react-router'
import { PlanScreen } from './-plan/PlanScreen.tsx'

export const Route = createFileRoute('/_shell/manage-shared/$planId')({ component: ManageShared })

function ManageShared() {
  return <PlanScreen planId={Route.useParams().planId} />
}
