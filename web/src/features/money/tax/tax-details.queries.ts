import { t } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { useChange } from '#lib/change.ts'
import { answerOf, toAppError } from '#lib/errors.ts'
import { withProof } from '#lib/proof.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { callVault, DOES_NOT_OPEN } from '#lib/vault.ts'
import { toastError, toastSuccess } from '#ui/toasts.ts'

/** Whether the site must ask the signed-in person for tax details, and when they last gave them. */
const stateSchema = z.object({ asked: z.boolean(), given_at: z.nullable(z.string()) })
export const taxDetailsQuery = query({
  key: ['tax-details'],
  load: async (signal) => stateSchema.parse(await rpc('my_tax_details', {}, signal)),
})

const detailsSchema = z.object({
  firstName: z.string(),
  lastName: z.string(),
  birthDate: z.string(),
  street: z.string(),
  postcode: z.string(),
  town: z.string(),
  country: z.string(),
  taxNumbers: z.array(z.object({ number: z.string(), country: z.string() })),
  vatNumber: z.optional(z.string()),
  birthTown: z.optional(z.string()),
  birthCountry: z.optional(z.string()),
})
/** Tax details in the form the function `vault` encrypts. Never kept in the query cache. */
export type TaxDetails = z.infer<typeof detailsSchema>

/** Loads the person's tax details after a proof of identity; null if there are none or they cannot be decrypted. */
export const useShowTaxDetails = (onShown: (details: TaxDetails | null) => void) =>
  useChange({
    run: async () => {
      const shown = z.object({ details: z.nullable(detailsSchema) })
      return withProof(() => callVault('show-tax-details', {})).then(
        (answer) => shown.parse(answer).details,
        (problem) => {
          if (toAppError(problem).code !== DOES_NOT_OPEN) throw problem
          return null
        },
      )
    },
    gcTime: 0,
    done: onShown,
    failed: (problem) => toastError(t`Error`, answerOf(problem, t`Please try again.`)),
  })

export const useSaveTaxDetails = (onSaved: () => void) =>
  useChange({
    run: (details: TaxDetails) => withProof(() => callVault('save-tax-details', { ...details })),
    gcTime: 0,
    fresh: [taxDetailsQuery.queryKey],
    done: () => {
      toastSuccess(t`Tax details saved`)
      onSaved()
    },
    failed: (problem) =>
      toastError(t`Your tax details were not saved`, answerOf(problem, t`Please try again.`)),
  })
