// What the database tells people: its messages, and their translations for whoever sends mail and notifications.
import { join } from 'node:path'
import type { CatalogType } from '@lingui/conf'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { events } from '../../supabase/functions/_shared/words/events.ts'

/** Their source, as catalogs name it. */
export const WORDS = '../supabase/functions/_shared/words/events.ts'

export const told = (): string[] =>
  Object.values(events).flatMap((words) => Object.values<string>({ ...words }))

/** The file with the translations, taken apart, by event. What is not translated is left out. */
export function wordsIn(catalog: CatalogType, language: string) {
  const words = Object.entries(events).flatMap(([event, texts]) => {
    const translated = Object.entries<string>({ ...texts }).flatMap(([part, message]) => {
      const translation = catalog[generateMessageId(message)]?.translation
      return translation ? [[part, compileMessageOrThrow(translation)]] : []
    })
    return translated.length > 0 ? [[event, Object.fromEntries(translated)]] : []
  })
  return {
    file: join(import.meta.dirname, '../../supabase/functions/_shared/words', `${language}.json`),
    content: `${JSON.stringify(Object.fromEntries(words))}\n`,
  }
}
