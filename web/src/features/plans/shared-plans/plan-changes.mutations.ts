import type { Database } from '@potluck/supabase/types'
import type { Plan } from '#domain/plan.ts'
import type { Level } from '#domain/standing.ts'
import { showAtOnce } from '#lib/cache.ts'
import { camel } from '#lib/camel.ts'
import { useChange } from '#lib/change.ts'
import { unwrap } from '#lib/errors.ts'
import { withinLimit } from '#lib/rate-limit.ts'
import { supabase } from '#lib/supabase.ts'
import { planToasts } from './plans.messages.ts'
import { type PlanPage, planKeys } from './plans.queries.ts'

type Columns = Database['public']['Tables']['shared_subscriptions']['Update']

/** Changes a setting that the owner of a plan makes with a single control. Shown at once. */
const useSetting = <Value>(
  { id }: Plan,
  userId: string,
  columns: (value: Value) => Columns,
  done: (value: Value) => void,
) =>
  useChange({
    run: async (value: Value) => {
      const change = supabase().from('shared_subscriptions').update(columns(value)).eq('id', id)
      await withinLimit('owner action', async () => unwrap(await change.select('id').single()))
    },
    stale: [planKeys.ofId(id)],
    show: (value, cache) =>
      showAtOnce<PlanPage>(cache, planKeys.page(id, userId), (page) => ({
        ...page,
        plan: { ...page.plan, ...camel<Partial<Plan>>(columns(value)) },
      })),
    done: (_changed, value) => done(value),
    failed: planToasts.changeFailed,
  })

/** Hides a plan from everyone who does not have its link, or lists it again. */
export const useHidePlan = (plan: Plan, userId: string) =>
  useSetting(plan, userId, (is_private: boolean) => ({ is_private }), planToasts.hidden)

/** Sets the lowest standing that gets a place without the owner's answer; null for nobody. */
export const useLetInAtOnce = (plan: Plan, userId: string) =>
  useSetting(plan, userId, (instant_from: Level | null) => ({ instant_from }), planToasts.letsInAtOnce)
