import type { Database } from '@potluck/supabase/types'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Plan } from '#domain/plan.ts'
import type { Level } from '#domain/standing.ts'
import { showAtOnce } from '#lib/cache.ts'
import { unwrap } from '#lib/errors.ts'
import { withinLimit } from '#lib/rate-limit.ts'
import { supabase } from '#lib/supabase.ts'
import { planToasts } from './plans.messages.ts'
import { type PlanPage, planKeys } from './plans.queries.ts'

interface Change<Value> {
  /** What is stored, and what it is to the screens. */
  stored: (value: Value) => Database['public']['Tables']['shared_subscriptions']['Update']
  shown: (value: Value) => Partial<Plan>
  tell: (value: Value) => void
}

/** Changes what an owner may change about a plan by one choice. Shown at once. */
function useChange<Value>({ id }: Plan, userId: string, { stored, shown, tell }: Change<Value>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (value: Value) => {
      const change = supabase().from('shared_subscriptions').update(stored(value)).eq('id', id)
      await withinLimit('owner action', async () => unwrap(await change.select('id').single()))
    },
    onMutate: (value) =>
      showAtOnce<PlanPage>(cache, planKeys.page(id, userId), (page) => ({
        ...page,
        plan: { ...page.plan, ...shown(value) },
      })),
    onSuccess: (_changed, value) => tell(value),
    onError: (problem, _value, takeBack) => {
      takeBack?.()
      planToasts.changeFailed(problem)
    },
    onSettled: () => cache.invalidateQueries({ queryKey: planKeys.ofId(id) }),
  })
}

/** Has everybody find a plan, or only who has its link. */
export const useHidePlan = (plan: Plan, userId: string) =>
  useChange<boolean>(plan, userId, {
    stored: (isPrivate) => ({ is_private: isPrivate }),
    shown: (isPrivate) => ({ isPrivate }),
    tell: planToasts.hidden,
  })

/** Has people be let in as soon as they ask, from a level of standing on, or nobody. */
export const useLetInAtOnce = (plan: Plan, userId: string) =>
  useChange<Level | null>(plan, userId, {
    stored: (instantFrom) => ({ instant_from: instantFrom }),
    shown: (instantFrom) => ({ instantFrom }),
    tell: planToasts.letsInAtOnce,
  })
