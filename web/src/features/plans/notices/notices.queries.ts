import * as z from 'zod/mini'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export const noticeKeys = { of: (planId: string) => ['plan-notices', planId] } as const

/** News from the provider with its day, as an ISO date. `price` is the new one of the whole plan; null for a pause. */
export const noticeSchema = z.object({
  kind: z.enum(['price', 'pause']),
  day: z.string(),
  price: z.nullable(z.number()),
  /** The owner's text. */
  note: z.nullable(z.string()),
})
export type Notice = z.infer<typeof noticeSchema>

const noticesSchema = z.array(z.extend(noticeSchema, { id: z.string() }))
export type PlanNotice = z.infer<typeof noticesSchema>[number]

/** The notices of a plan that are not over, by day, for its owner and members. */
export const noticesQuery = (planId: string) =>
  query({
    key: noticeKeys.of(planId),
    load: async (signal) =>
      noticesSchema.parse(await rpc('plan_notices', { p_subscription_id: planId }, signal)),
  })
