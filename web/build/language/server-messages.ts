// Messages of the database and the auth service, and their translations, which servers use for mails and notifications.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CatalogType } from '@lingui/conf'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import {
  events,
  eventWords,
  topics,
  type Words,
  webhookTypes,
} from '../../../supabase/functions/_shared/words/events.ts'
import { authMails, layout, mails, pages, plans } from '../../../supabase/functions/_shared/words/mails.ts'
import { PAPER_WORDS } from '../../../supabase/functions/_shared/words/papers.ts'
import { ENGLISH, LOCALES } from './languages.ts'

const spread = (groups: object) => Object.entries({ ...groups }) as [string, Record<string, string>][]
const papers = Object.fromEntries(PAPER_WORDS.map((words) => [words, words]))

/** Every message, by its id. */
export const serverMessages = (): CatalogType =>
  Object.fromEntries(
    [eventWords, mails, authMails, { pages, layout, plans, papers }]
      .flatMap(spread)
      .flatMap(([, parts]) => Object.values<string>({ ...parts }))
      .map((message) => [generateMessageId(message), { message, translation: '' }]),
  )

const SUPABASE = join(import.meta.dirname, '../../../supabase')
/** The folder of the catalogs that translate these messages. */
export const SERVER_LOCALES = join(SUPABASE, 'locales')
const FOLDER = join(SUPABASE, 'functions/_shared/words')

/** The database function with the English words of notifications, one event a line. */
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

type Passes = (kind: (typeof events)[string]) => boolean
const eventsWith = (passes: Passes) =>
  Object.entries(events).flatMap(([event, kind]) => (passes(kind) ? [event] : []))

/** A list of events in SQL, in lines of at most 120 characters. */
const listed = (passes: Passes): string =>
  eventsWith(passes).reduce((text, event) => {
    const line = text.slice(text.lastIndexOf('\n') + 1)
    const space = line.length + event.length > 114 ? '\n    ' : ' '
    return `${text}${text && `,${space}`}'${event}'`
  }, '')

/** Topics, mails and webhook types of events as functions of the database. */
export function eventFunctions() {
  const types = Object.keys(webhookTypes) as (keyof typeof webhookTypes)[]
  const byTopic = topics
    .filter((topic) => topic !== 'places')
    .map((topic) => `  when p_event in (${listed((kind) => kind.topic === topic)})\n    then '${topic}'`)
  const byType = types.flatMap((type) => {
    const soon = listed(({ webhook }) => typeof webhook === 'object' && webhook.soon === type)
    const always = listed(
      ({ webhook }) => webhook === type || (typeof webhook === 'object' && webhook.late === type),
    )
    return [
      ...(soon ? [`  when p_event in (${soon}) and p_params ->> 'late' = 'false' then '${type}'`] : []),
      ...(always ? [`  when p_event in (${always})\n    then '${type}'`] : []),
    ]
  })
  return {
    file: join(SUPABASE, 'schemas/account/events.sql'),
    content: `-- Written by \`npm run messages\` from functions/_shared/words/events.ts.

-- The topics of notifications, in the order of the settings page.
create function private.notification_topics() returns text[]
language sql immutable set search_path = '' as $$ select array[${topics.map((topic) => `'${topic}'`).join(', ')}] $$;

create function private.topic_of(p_event text) returns text
language sql immutable
return case
${byTopic.join('\n')}
  else 'places'
end;

-- Whether the event has a deadline after which a reader who does not answer loses money or a place.
create function private.needs_answer(p_event text) returns boolean
language sql immutable
return p_event in (${listed(({ mailed }) => mailed === 'needs-answer')});

-- Whether this event is mailed at once to all its readers, even if they have read it or turned its topic off.
create function private.is_always_mailed(p_event text) returns boolean
language sql immutable
return coalesce(p_event in (${listed(({ mailed }) => mailed === 'always')})
  or private.needs_answer(p_event), false);

-- The types that people can subscribe to.
create function private.webhook_types() returns text[]
language sql immutable
return '{${types.join(',')}}'::text[];

-- The webhook type of an event; null for events that people cannot subscribe to, such as those for staff.
create function private.webhook_type(p_event text, p_params jsonb) returns text
language sql immutable
return case
${byType.join('\n')}
end;
`,
  }
}

/** A module of the web with the pages that notifications open, and those that are good news. */
export function eventPages() {
  const names = (passes: Passes) => eventsWith(passes).map((event) => `  '${event}',\n`)
  const pages = Object.entries(events).flatMap(([event, { opens }]) =>
    opens && opens !== 'plan' ? [`  ${/^\w+$/.test(event) ? event : `'${event}'`}: '${opens}',\n`] : [],
  )
  return {
    file: join(LOCALES, '../src/features/account/notifications/event-pages.ts'),
    content: `// Written by \`npm run messages\` from supabase/functions/_shared/words/events.ts.

/** The page about an event's subject, with \`{id}\` of its params, if the page does not depend on a plan. */
export const PAGES: Record<string, string> = {
${pages.join('')}}

/** Events about a plan the person is in or is offered. Other events are about plans they may not open. */
export const ABOUT_OWN_PLANS = [
${names(({ opens }) => opens === 'plan').join('')}]

/** The kinds of good news. All are about a plan, except for the first coins, which are about a person. */
export const MOMENTS = [
${names(({ isGoodNews }) => isGoodNews === true).join('')}] as const
`,
  }
}

/** docs/webhooks.md with the table of types. */
export function webhooksPage() {
  const file = join(SUPABASE, '../docs/webhooks.md')
  const rows = Object.entries(webhookTypes).map(
    ([type, [event, data]]) => `| \`${type}\` | ${event} | ${data && `${data} `}|\n`,
  )
  const content = readFileSync(file, 'utf8').replace(
    /(?<=\| type \|.*\n\|.*\n)(\| `(?!test`).*\n)*/,
    rows.join(''),
  )
  return { file, content }
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
  plans: Record<string, Message>
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
  const inMails = { mails: all(mails), authMails: all(authMails), ...all({ pages, layout, plans, papers }) }
  const file = (path: string, words: object) => ({
    file: join(FOLDER, path),
    content: `${JSON.stringify(words)}\n`,
  })
  return [file(`${language}.json`, all(eventWords)), file(`mails/${language}.json`, inMails)]
}
