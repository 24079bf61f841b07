import { query } from '#lib/query.ts'
import { loadCatalogue } from './load-catalogue.ts'

const HOUR = 3_600_000

/** Every provider with its plans. Rejects only when the backend cannot be asked. */
export const catalogueQuery = query({
  key: ['catalogue'],
  seen: true,
  staleTime: HOUR,
  load: (signal) => loadCatalogue(signal),
})
