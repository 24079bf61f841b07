// The catalogue's own texts (what providers allow, descriptions, features) as messages for translation. Prices, names
// of services and links are not translated.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CatalogType } from '@lingui/conf'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { LOCALES } from './languages.ts'

export const CATALOGUE_LOCALES = join(LOCALES, 'catalogue')
const CATALOGUE = join(import.meta.dirname, '../../../supabase/provider-catalogue.json')

interface Entry {
  sharing?: { terms: string } | null
  plans: { description?: string; features?: (string | { name: string })[] }[]
}

/** Every text of the catalogue, in its order, by its id. */
export function catalogueMessages(): CatalogType {
  const entries: Entry[] = JSON.parse(readFileSync(CATALOGUE, 'utf8'))
  const texts = entries.flatMap(({ sharing, plans }) => [
    sharing?.terms,
    ...plans.flatMap(({ description, features = [] }) => [
      description,
      ...features.map((feature) => (typeof feature === 'string' ? feature : feature.name)),
    ]),
  ])
  return Object.fromEntries(
    texts.flatMap((message) =>
      message ? [[generateMessageId(message), { message, translation: '', comments: [] }]] : [],
    ),
  )
}
