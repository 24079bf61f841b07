import { queryOptions } from '@tanstack/react-query'
import type { Provider } from '#domain/catalogue.ts'
import { unwrap } from '#lib/errors.ts'
import { supabase } from '#lib/supabase.ts'
import { catalogueSchema } from './catalogue.schema.ts'

const HOUR = 3_600_000

const catalogueKeys = { all: ['catalogue'] } as const

/** Every provider with its plans. Rejects only when the backend cannot be asked. */
export const catalogueQuery = queryOptions({
  queryKey: catalogueKeys.all,
  staleTime: HOUR,
  queryFn: async ({ signal }): Promise<Provider[]> => {
    const current = supabase().from('service_provider_data').select('data').eq('is_current', true)
    return readCatalogue(unwrap(await current.limit(1).abortSignal(signal))[0]?.data)
  },
})

/** The stored catalogue where there is a valid one, else the bundled one, fetched only then. (CATALOG-08) */
export async function readCatalogue(stored: unknown): Promise<Provider[]> {
  const read = catalogueSchema.safeParse(stored)
  if (read.success) return read.data
  const { default: bundled } = await import('@potluck/supabase/provider-catalogue.json')
  return catalogueSchema.parse(bundled)
}
