import { useQueryClient } from '@tanstack/react-query'
import { useChange } from '#lib/change.ts'
import { query } from '#lib/query.ts'
import { withinLimit } from '#lib/rate-limit.ts'
import { rpc } from '#lib/supabase.ts'
import { planToasts } from './plans.messages.ts'
import { planKeys } from './plans.queries.ts'

const planLinkKey = (planId: string) => [...planKeys.ofId(planId), 'link']

/** The part after /p/ in a plan's share link; for a private plan, a secret. Only the owner may read it. */
export const planLinkQuery = (planId: string) =>
  query({
    key: planLinkKey(planId),
    load: (signal) => rpc('get_plan_link', { p_subscription_id: planId }, signal),
  })

/** Gives the person access to the private plan behind a link. Returns the plan's id. */
export const openPlanLinkQuery = (token: string, userId: string) =>
  query({
    key: ['plan-links', token, userId],
    load: (signal) => rpc('open_plan_link', { p_token: token }, signal),
  })

/** The plan behind the short link of a public plan; null if there is none that the reader may see. */
export const planOfCodeQuery = (code: string) =>
  query({
    key: ['plan-links', code],
    load: (signal) => rpc('plan_of_code', { p_code: code }, signal),
  })

/** True for the short code of a public plan; the codes of private plans are longer. */
export const isPublicCode = (code: string) => code.length === 8

export const linkTo = (code: string) => `${location.origin}/p/${code}`

/** Replaces a private plan's link; the old one stops working. */
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
