import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Plan } from '#domain/plan.ts'
import { showAtOnce } from '#lib/cache.ts'
import { unwrap } from '#lib/errors.ts'
import { withinLimit } from '#lib/rate-limit.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { planLinkKey } from './plan-link.queries.ts'
import { planToasts } from './plans.messages.ts'
import { type PlanPage, planKeys } from './plans.queries.ts'

/** Has everybody find a plan, or only who has its link. Shown at once. */
export function useHidePlan({ id }: Plan, userId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (isPrivate: boolean) => {
      const change = supabase().from('shared_subscriptions').update({ is_private: isPrivate }).eq('id', id)
      await withinLimit('owner action', async () => unwrap(await change.select('id').single()))
    },
    onMutate: (isPrivate) =>
      showAtOnce<PlanPage>(cache, planKeys.page(id, userId), (page) => ({
        ...page,
        plan: { ...page.plan, isPrivate },
      })),
    onSuccess: (_hidden, isPrivate) => planToasts.hidden(isPrivate),
    onError: (problem, _isPrivate, takeBack) => {
      takeBack?.()
      planToasts.hideFailed(problem)
    },
    onSettled: () => cache.invalidateQueries({ queryKey: planKeys.ofId(id) }),
  })
}

/** Gives a private plan another link, which ends the one before. */
export function useReplaceLink(planId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () =>
      withinLimit('owner action', () => rpc('replace_plan_link', { p_subscription_id: planId })),
    onSuccess: (token) => {
      cache.setQueryData(planLinkKey(planId), token)
      planToasts.linkReplaced()
    },
    onError: planToasts.linkFailed,
  })
}
