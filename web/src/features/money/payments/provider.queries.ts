import * as z from 'zod/mini'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

const providerSchema = z.nullable(
  z.object({ provider: z.enum(['simulated', 'stripe']), publishableKey: z.nullable(z.string()) }),
)

/** The provider that takes payments for this site; null where members can only pay owners directly. */
export const providerQuery = query({
  key: ['payment-provider'],
  seen: true,
  staleTime: 5 * 60_000,
  load: async (signal) => providerSchema.parse(await rpc('payment_provider', {}, signal)),
})
