import type { TableRow } from '#lib/camel.ts'
import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read } from '#lib/supabase.ts'

/** Who runs the site. A detail that is not known, or does not exist, is null. */
export type Operator = Omit<TableRow<'operator'>, 'id'>

export const operatorQuery = query({
  key: ['operator'],
  // No event is sent when staff change it.
  staleTime: 0,
  load: async (signal): Promise<Operator> => {
    const wanted = read('operator').select(
      'name, street, postcode, town, country, email, phone, register, vatNumber:vat_number',
    )
    return unwrap(await wanted.abortSignal(signal).single())
  },
})

/** True if the imprint has all that it must have. The database applies the same rule (private.has_imprint()). */
export const hasImprint = ({ name, street, postcode, town, country, email }: Operator): boolean =>
  [name, street, postcode, town, country, email].every((detail) => detail !== null)
