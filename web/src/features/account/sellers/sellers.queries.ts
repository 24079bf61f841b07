import { t } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { useChange } from '#lib/change.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { explain } from '#ui/toasts.ts'

const line = z.nullable(z.string())

/** A person's own declaration of how they share. For a trader it includes the imprint, which visitors do not see. */
export const sellerSchema = z.object({
  isTrader: z.boolean(),
  ...{ name: line, address: line, email: line },
  /** Register and VAT number. */
  numbers: line,
})

export type Seller = z.infer<typeof sellerSchema>

/** The signed-in person's own declaration; null before the first plan. */
export const mySellerQuery = query({
  key: ['seller'],
  load: async (signal) => z.nullable(sellerSchema).parse(await rpc('my_seller', {}, signal)),
})

/** Whether the site still asks the signed-in person to confirm their age. */
export const asksAgeQuery = query({
  key: ['asks-age'],
  staleTime: 0,
  load: (signal) => rpc('asks_age', {}, signal),
})

/** Declares how the person shares; with `confirmsAge`, confirms their age first. */
export const useDeclareSeller = (confirmsAge: boolean, onDone: () => void) =>
  useChange({
    run: async ({ isTrader, name, address, email, numbers }: Seller) => {
      if (confirmsAge) await rpc('confirm_age', {})
      return rpc('declare_seller', {
        ...{ p_is_trader: isTrader, p_name: name, p_address: address },
        ...{ p_email: email, p_numbers: numbers },
      })
    },
    fresh: [mySellerQuery.queryKey],
    done: onDone,
    failed: (problem) => explain(problem, t`This was not saved. Please try again.`),
  })
