import { createFileRoute } from '@tanstack/react-router'
import { PLAN_OPEN_FAILED } from '#features/plans/shared-plans/open-failed.ts'
import { PlanScreen } from './-plan/PlanScreen.tsx'

export const Route = createFileRoute('/_shell/manage-shared/$planId')({
  staticData: { openFailed: PLAN_OPEN_FAILED },
  component: PlanScreen,
})
