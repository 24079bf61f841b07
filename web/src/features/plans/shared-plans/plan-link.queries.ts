import { useQuery } from '@tanstack/react-query'
import type { Plan } from '#domain/plan.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { planKeys } from './plans.queries.ts'

export const planLinkKey = (planId: string) => [...planKeys.ofId(planId), 'link']

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
