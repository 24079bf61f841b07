import { createFileRoute } from '@tanstack/react-router'
import { PLAN_OPEN_FAILED } from '#features/plans/shared-plans/open-failed.ts'
import { PlanScreen } from './-plan/PlanScreen.tsx'
import { planSearch } from './-plan/sections.ts'

export const Route = createFileRoute('/_shell/manage-shared/$planId')({
  staticData: { openFailed: PLAN_OPEN_FAILED },
  validateSearch: planSearch,
  component: PlanScreen,
})
