import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Plan } from '#domain/plan.ts'
import { useChange } from '#lib/change.ts'
import { query } from '#lib/query.ts'
import { withinLimit } from '#lib/rate-limit.ts'
import { rpc } from '#lib/supabase.ts'
import { planToasts } from './plans.messages.ts'
import { planKeys } from './plans.queries.ts'

const planLinkKey = (planId: string) => [...planKeys.ofId(planId), 'link']

/** The secret in the link of a private plan; null for a public one. For its owner. */
export const planLinkQuery = (planId: string) =>
  query({
    key: planLinkKey(planId),
    load: (signal) => rpc('get_plan_link', { p_subscription_id: planId }, signal),
  })

/** Lets the person see the plan behind a link, and gives its id. */
export const openPlanLinkQuery = (token: string, userId: string) =>
  query({
    key: ['plan-links', token, userId],
    load: (signal) => rpc('open_plan_link', { p_token: token }, signal),
  })

/** The address to share a plan by, with its secret if it is private; undefined until that has loaded. */
export function useShareLink({ id, isPrivate }: Pick<Plan, 'id' | 'isPrivate'>): string | undefined {
  const { data: token } = useQuery({ ...planLinkQuery(id), enabled: isPrivate })
  if (!isPrivate) return `${location.origin}/plans/${encodeURIComponent(id)}`
  return token ? `${location.origin}/join/${token}` : undefined
}

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
