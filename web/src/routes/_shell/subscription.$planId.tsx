import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { PLAN_OPEN_FAILED } from '#features/plans/shared-plans/open-failed.ts'
import { given } from '#lib/search.ts'
import { PlanScreen } from './-plan/PlanScreen.tsx'
import { planSearch } from './-plan/sections.ts'

/** Links carry a `type`, which is ignored: the person's relation to the plan decides the view. */
const searchSchema = z.extend(planSearch, {
  type: given(z.enum(['shared', 'subscribed', 'joined'])),
})

export const Route = createFileRoute('/_shell/subscription/$planId')({
  staticData: { openFailed: PLAN_OPEN_FAILED },
  validateSearch: searchSchema,
  component: PlanScreen,
})
