import * as z from 'zod/mini'
import { toAppError } from './errors.ts'
import { query } from './query.ts'
import { rpc, supabase } from './supabase.ts'

const providerSchema = z.nullable(
  z.object({
    provider: z.enum(['simulated', 'stripe']),
    publishableKey: z.nullable(z.string()),
    methods: z.array(z.enum(['card', 'link', 'sepa_debit'])),
    paysMe: z.boolean(),
    /** False while live payments wait for staff’s answer about their VAT. */
    isOpen: z.boolean(),
  }),
)
export type PaymentProvider = NonNullable<z.infer<typeof providerSchema>>

/** The provider that takes payments for this site; null where members can only pay owners directly. */
export const paymentProviderQuery = query({
  key: ['payment-provider'],
  seen: true,
  staleTime: 5 * 60_000,
  load: async (signal) => providerSchema.parse(await rpc('payment_provider', {}, signal)),
})

/** Calls the Edge Function `payments` and returns its response. Throws an AppError if the function refuses. */
export async function callPayments<Answer>(
  path: string,
  body: Record<string, unknown> = {},
): Promise<Answer> {
  const { data, error } = await supabase().functions.invoke(`payments/${path}`, { body })
  if (!error) return data
  const context: unknown = error.context
  const said = context instanceof Response ? await context.json().catch(() => null) : null
  throw toAppError(said ? { message: said.error ?? error.message, ...said } : error)
}
