import type { Provider } from '#domain/catalogue.ts'
import { readPublic } from '#lib/supabase.ts'
import { catalogueSchema } from './catalogue.schema.ts'

/** The current catalogue, requested without a session. Rejects only if the backend cannot be reached. */
export async function loadCatalogue(signal?: AbortSignal): Promise<Provider[]> {
  const current = { select: 'data', is_current: 'is.true', limit: '1' }
  const rows = await readPublic('service_provider_data', current, signal)
  return readCatalogue(Array.isArray(rows) ? rows[0]?.data : undefined)
}

/** The stored catalogue if it is valid, otherwise the bundled one, which is loaded only in that case. */
export async function readCatalogue(stored: unknown): Promise<Provider[]> {
  const read = catalogueSchema.safeParse(stored)
  if (read.success) return read.data
  const { default: bundled } = await import('@potluck/supabase/provider-catalogue.json')
  return catalogueSchema.parse(bundled)
}
