import * as z from 'zod/mini'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

/** Where the signed-in person lives, null until they say so; `asked` if the site needs it for invoices of whoever `pays` it. */
const homeCountrySchema = z.object({ country: z.nullable(z.string()), asked: z.boolean(), pays: z.boolean() })
export const homeCountryQuery = query({
  key: ['home-country'],
  load: async (signal) => homeCountrySchema.parse(await rpc('my_country', {}, signal)),
})
