import * as z from 'zod/mini'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

const providerSchema = z.nullable(
  z.object({ provider: z.enum(['simulated', 'stripe']), publishableKey: z.nullable(z.string()) }),
)

/** Who takes payments for this site; null where members pay owners directly and no other way. */
export const providerQuery = query({
  key: ['payment-provider'],
  seen: true,
  staleTime: 5 * 60_000,
  load: async (signal) => providerSchema.parse(await rpc('payment_provider', {}, signal)),
})
