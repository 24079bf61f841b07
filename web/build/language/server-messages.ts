// Messages of the database and the auth service, and their translations, which servers use for mails and notifications.
import { join } from 'node:path'
import type { CatalogType } from '@lingui/conf'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { events, type Words } from '../../../supabase/functions/_shared/words/events.ts'
import { authMails, layout, mails, pages } from '../../../supabase/functions/_shared/words/mails.ts'
import { PAPER_WORDS } from '../../../supabase/functions/_shared/words/papers.ts'
import { ENGLISH } from './languages.ts'

const spread = (groups: object) => Object.entries({ ...groups }) as [string, Record<string, string>][]
const papers = Object.fromEntries(PAPER_WORDS.map((words) => [words, words]))

/** Every message, by its id. */
export const serverMessages = (): CatalogType =>
  Object.fromEntries(
    [events, mails, authMails, { pages, layout, papers }]
      .flatMap(spread)
      .flatMap(([, parts]) => Object.values<string>({ ...parts }))
      .map((message) => [generateMessageId(message), { message, translation: '' }]),
  )

const SUPABASE = join(import.meta.dirname, '../../../supabase')
/** The folder of the catalogs that translate these messages. */
export const SERVER_LOCALES = join(SUPABASE, 'locales')
const FOLDER = join(SUPABASE, 'functions/_shared/words')

/** The English of notifications as a function of the database: an event on each line. */
export function englishFunction() {
  const compile = ({ title, message }: Words) =>
    JSON.stringify({ title: compileMessageOrThrow(title), message: compileMessageOrThrow(message) })
  const compiled = Object.entries(events).map(([event, words]) => `"${event}": ${compile(words)}`)
  return {
    file: join(SUPABASE, 'schemas/account/event_words.sql'),
    content: `-- Written by \`npm run messages\` from functions/_shared/words/events.ts.

-- The title and message of an event in English, compiled (private.render_message); null for an unknown event.
create function private.event_words(p_event text) returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  return '{
${compiled.join(',\n').replaceAll("'", "''")}
}'::jsonb -> p_event;
end $$;
`,
  }
}

/** A module that imports all languages statically, since functions are bundled. */
export function languagesModule(languages: readonly string[]) {
  const names = [ENGLISH, ...[...languages].sort()].map((tag) => ({ tag, name: tag.replace('-', '') }))
  const from = (name: string, path: string) => `import ${name} from './${path}.json' with { type: 'json' }\n`
  const imports = names.map(({ tag, name }) => from(name, tag) + from(`${name}Mails`, `mails/${tag}`))
  const [english, ...others] = names.map(({ tag, name }) => [tag, `{ events: ${name}, ...${name}Mails }`])
  const entries = others.map(([tag, words]) => `'${tag}': ${words}`)
  return {
    file: join(FOLDER, 'languages.ts'),
    content: `// Written by \`npm run messages\`: English and the translations in this folder.
${imports.join('')}import type { Message } from './render.ts'

/** A language: events are those of notifications. */
export interface Words {
  events: Record<string, { title?: Message; message?: Message }>
  mails: Record<string, Record<string, Message>>
  authMails: Record<string, Record<string, Message>>
  pages: Record<string, Message>
  layout: Record<string, Message>
  papers: Record<string, Message>
}

export const english = ${english?.[1]} as unknown as Words
export const languages: Record<string, Words> = {${entries.join(', ')}} as unknown as Record<string, Words>
`,
  }
}

/** The files with the compiled messages of English. */
export const englishWords = () =>
  wordsIn(
    Object.fromEntries(
      Object.entries(serverMessages()).map(([id, { message = '' }]) => [
        id,
        { message, translation: message },
      ]),
    ),
    ENGLISH,
  )

/** The files with a language's compiled translations. Untranslated messages are left out. */
export function wordsIn(catalog: CatalogType, language: string): { file: string; content: string }[] {
  const translate = (parts: Record<string, string>) =>
    Object.fromEntries(
      Object.entries<string>({ ...parts }).flatMap(([part, message]) => {
        const translation = catalog[generateMessageId(message)]?.translation
        return translation ? [[part, compileMessageOrThrow(translation)]] : []
      }),
    )
  const all = (groups: object) =>
    Object.fromEntries(
      spread(groups)
        .map(([name, parts]) => [name, translate(parts)] as const)
        .filter(([, parts]) => Object.keys(parts).length > 0),
    )
  const inMails = { mails: all(mails), authMails: all(authMails), ...all({ pages, layout, papers }) }
  const file = (path: string, words: object) => ({
    file: join(FOLDER, path),
    content: `${JSON.stringify(words)}\n`,
  })
  return [file(`${language}.json`, all(events)), file(`mails/${language}.json`, inMails)]
}
