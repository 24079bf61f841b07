import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { planKeys } from './plans.queries.ts'

export const planLinkKey = (planId: string) => [...planKeys.ofId(planId), 'link']

/** The secret in the link of a private plan; null for a plan that everybody finds. For its owner. */
export const planLinkQuery = (planId: string) =>
  query({
    key: planLinkKey(planId),
    load: (signal) => rpc('get_plan_link', { p_subscription_id: planId }, signal),
  })

/** Lets a person see the plan that a link leads to; its id. */
export const openPlanLinkQuery = (token: string, userId: string) =>
  query({
    key: ['plan-links', token, userId],
    load: (signal) => rpc('open_plan_link', { p_token: token }, signal),
  })
