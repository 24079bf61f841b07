import * as z from 'zod/mini'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

/**
 * The signed-in person's country; null until given. `asked` is true if the site needs it for invoices, `pays` if the
 * person already pays through the site.
 */
const homeCountrySchema = z.object({ country: z.nullable(z.string()), asked: z.boolean(), pays: z.boolean() })
export const homeCountryQuery = query({
  key: ['home-country'],
  load: async (signal) => homeCountrySchema.parse(await rpc('my_country', {}, signal)),
})
