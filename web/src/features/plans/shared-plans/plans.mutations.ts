import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Plan } from '#domain/plan.ts'
import { showAtOnce } from '#lib/cache.ts'
import { AppError, PERMISSION_DENIED, unwrap } from '#lib/errors.ts'
import { announce } from '#lib/events.ts'
import { withinLimit } from '#lib/rate-limit.ts'
import { supabase } from '#lib/supabase.ts'
import { planToasts } from './plans.messages.ts'
import { type PlanPage, planKeys } from './plans.queries.ts'

const ownerOnly = 'Only the subscription owner can do this'

/** Opens or closes slots: `slots` is the new owner_max_members, the owner's place included. Shown at once. */
export function useChangeSlots(plan: Plan, userId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (slots: number) => {
      const change = supabase()
        .from('shared_subscriptions')
        .update({ owner_max_members: slots })
        .eq('id', plan.id)
      await withinLimit('owner action', async () => mustHaveHit(unwrap(await change.select('id'))))
    },
    onMutate: (slots) =>
      showAtOnce<PlanPage>(cache, planKeys.page(plan.id, userId), (page) => ({
        ...page,
        plan: { ...page.plan, ownerMaxMembers: slots },
      })),
    onSuccess: () => {
      planToasts.slotsUpdated()
      announce('subscriptionUpdated', { subscriptionId: plan.id })
    },
    onError: (problem, _slots, takeBack) => {
      takeBack?.()
      planToasts.slotsFailed(problem)
    },
    onSettled: () => cache.invalidateQueries({ queryKey: planKeys.all }),
  })
}

/** Ends a plan for everyone on it. When refused, the plan stays and so does the screen. */
export function useCancelPlan(plan: Plan, onCancelled: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      mustHaveHit(
        unwrap(await supabase().from('shared_subscriptions').delete().eq('id', plan.id).select('id')),
      )
    },
    onSuccess: () => {
      planToasts.cancelled(`${plan.provider} ${plan.name}`)
      announce('subscriptionDeleted', { subscriptionId: plan.id })
      onCancelled()
      void cache.invalidateQueries({ queryKey: planKeys.ofId(plan.id), refetchType: 'none' })
      void cache.invalidateQueries({ queryKey: planKeys.lists })
    },
    onError: planToasts.cancelFailed,
  })
}

/** Tells the plan's people which login to use; an empty name takes it back. */
export function useSaveLogin(planId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (loginName: string) => {
      const logins = supabase().from('subscription_logins')
      if (loginName) unwrap(await logins.upsert({ subscription_id: planId, login_name: loginName }))
      else unwrap(await logins.delete().eq('subscription_id', planId))
    },
    onMutate: (loginName) =>
      showAtOnce<string | null>(cache, planKeys.login(planId), () => loginName || null),
    onSuccess: (_saved, loginName) => (loginName ? planToasts.loginSaved() : planToasts.loginCleared()),
    onError: (problem, _loginName, takeBack) => {
      takeBack?.()
      planToasts.loginFailed(problem)
    },
    onSettled: () => cache.invalidateQueries({ queryKey: planKeys.login(planId) }),
  })
}

/** Row-level security hides what a person may not change, so a refusal looks like nothing found. */
function mustHaveHit(rows: unknown[]): void {
  if (rows.length === 0) throw new AppError(PERMISSION_DENIED, ownerOnly)
}
