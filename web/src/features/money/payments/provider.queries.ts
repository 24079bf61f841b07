import { t } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

const providerSchema = z.nullable(
  z.object({
    provider: z.enum(['simulated', 'stripe']),
    publishableKey: z.nullable(z.string()),
    methods: z.array(z.enum(['card', 'link', 'sepa_debit'])),
    paysMe: z.boolean(),
  }),
)

export type Provider = NonNullable<z.infer<typeof providerSchema>>

/** Whether an owner's members can pay by card: yes, not on this site, or only after the owner has set up payouts. */
export type Cards = 'taken' | 'none' | 'payouts-first'

export const cardsRefusals = {
  none: t`This site doesn’t take cards, so members pay you directly.`,
  'payouts-first': t`Before members can pay by card, set up how you get paid.`,
} as const

export const cardsWith = (provider: z.infer<typeof providerSchema> | undefined): Cards =>
  !provider ? 'none' : provider.paysMe ? 'taken' : 'payouts-first'

/** The payment provider of this site; null if members can only pay owners directly. */
export const providerQuery = query({
  key: ['payment-provider'],
  seen: true,
  staleTime: 5 * 60_000,
  load: async (signal) => providerSchema.parse(await rpc('payment_provider', {}, signal)),
})
