import { query } from '#lib/query.ts'
import { loadCatalogue } from './load-catalogue.ts'

const HOUR = 3_600_000

/** Every provider with its plans. Fails only if the backend cannot be reached. */
export const catalogueQuery = query({
  key: ['catalogue'],
  seen: true,
  staleTime: HOUR,
  load: (signal) => loadCatalogue(signal),
})
