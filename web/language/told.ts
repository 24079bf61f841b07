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

const FOLDER = join(import.meta.dirname, '../../supabase/functions/_shared/words')

/** The module that has them all, for functions, which are bundled ahead. */
export function languagesModule(languages: readonly string[]) {
  const names = [...languages].sort().map((language) => [language, language.replace('-', '')])
  const imports = names.map(([tag, name]) => `import ${name} from './${tag}.json' with { type: 'json' }\n`)
  const entries = names.map(([tag, name]) => `'${tag}': ${name}`)
  return {
    file: join(FOLDER, 'languages.ts'),
    content: `// Written by \`npm run messages\`: the translations in this folder.
${imports.join('')}import type { Message } from './render.ts'

type Words = Record<string, Record<string, Message>>

export const languages: Record<string, Words> = {${entries.map((entry) => `${entry} as unknown as Words`).join(', ')}}
`,
  }
}

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
    file: join(FOLDER, `${language}.json`),
    content: `${JSON.stringify(Object.fromEntries(words))}\n`,
  }
}
