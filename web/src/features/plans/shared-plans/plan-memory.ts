/** The names of plans seen in this browser, so that a plan's page has a heading before it has loaded. */
import * as z from 'zod/mini'
import type { Plan } from '#domain/plan.ts'
import { local, readJson, write } from '#lib/storage.ts'

const summarySchema = z.object({ id: z.string(), name: z.string(), provider: z.string() })
export type PlanSummary = z.infer<typeof summarySchema>

const keyOf = (planId: string, shared: boolean) => `subscription-${planId}${shared ? '-shared' : ''}`

export function rememberPlan({ id, name, provider }: Plan, shared: boolean): void {
  write(local, keyOf(id, shared), JSON.stringify({ id, name, provider } satisfies PlanSummary))
}

/** The plan as last seen in this browser; `shared` is true if the person was its owner. Null if it was never seen. */
export function recallPlan(planId: string): (PlanSummary & { shared: boolean }) | null {
  for (const shared of [true, false]) {
    const known = recall(keyOf(planId, shared))
    if (known) return { ...known, shared }
  }
  return null
}

const recall = (key: string) =>
  readJson(local, key, (kept) => z.catch(z.nullable(summarySchema), null).parse(kept))

export function forgetPlan(planId: string): void {
  write(local, keyOf(planId, true), null)
  write(local, keyOf(planId, false), null)
}
