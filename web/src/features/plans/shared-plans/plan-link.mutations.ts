import { useMutation, useQueryClient } from '@tanstack/react-query'
import { withinLimit } from '#lib/rate-limit.ts'
import { rpc } from '#lib/supabase.ts'
import { planLinkKey } from './plan-link.queries.ts'
import { planToasts } from './plans.messages.ts'

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
