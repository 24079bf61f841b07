import type { Provider } from '#domain/catalogue.ts'
import { readPublic } from '#lib/supabase.ts'
import { catalogueSchema } from './catalogue.schema.ts'

/** The current catalogue, asked for as a stranger. Rejects only when the backend cannot be asked. */
export async function loadCatalogue(signal?: AbortSignal): Promise<Provider[]> {
  const current = { select: 'data', is_current: 'is.true', limit: '1' }
  const rows = await readPublic('service_provider_data', current, signal)
  return readCatalogue(Array.isArray(rows) ? rows[0]?.data : undefined)
}

/** The stored catalogue where there is a valid one, else the bundled one, fetched only then. */
export async function readCatalogue(stored: unknown): Promise<Provider[]> {
  const read = catalogueSchema.safeParse(stored)
  if (read.success) return read.data
  const { default: bundled } = await import('@potluck/supabase/provider-catalogue.json')
  return catalogueSchema.parse(bundled)
}
