import { useQueryClient } from '@tanstack/react-query'
import { useChange } from '#lib/change.ts'
import { withinLimit } from '#lib/rate-limit.ts'
import { rpc } from '#lib/supabase.ts'
import { planLinkKey } from './plan-link.queries.ts'
import { planToasts } from './plans.messages.ts'

/** Gives a private plan a new link; the old one stops working. */
export function useReplaceLink(planId: string) {
  const cache = useQueryClient()
  return useChange({
    run: () => withinLimit('owner action', () => rpc('replace_plan_link', { p_subscription_id: planId })),
    done: (token) => {
      cache.setQueryData(planLinkKey(planId), token)
      planToasts.linkReplaced()
    },
    failed: planToasts.linkFailed,
  })
}
