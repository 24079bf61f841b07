import * as z from 'zod/mini'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

/**
 * The VAT that would be due if whole payments were the site's supply, this month and last month; and the sales abroad.
 */
const supplySchema = z.object({
  months: z.array(
    z.object({
      /** The first day of the month. */
      month: z.string(),
      /** Paid through the site, less refunds, in EUR. */
      gross: z.number(),
      vat: z.number(),
      /** The part of `gross` without VAT because no country is known. */
      unknown: z.number(),
    }),
  ),
  /**
   * This year's fees from members in other EU countries, in EUR without VAT; null where the threshold does not apply.
   */
  abroad: z.nullable(z.number()),
  /** The threshold, in EUR. */
  limit: z.number(),
  /** True if payments move real money. */
  isLive: z.boolean(),
})

export const supplyQuery = query({
  key: ['supply'],
  staleTime: 0,
  load: async (signal) => supplySchema.parse(await rpc('supply_figures', {}, signal)),
})
