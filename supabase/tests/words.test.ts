// All notifications have words for other languages, with parameters that the database passes.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { takeApart } from '../../web/build/language/languages.ts'
import { events, eventWords } from '../functions/_shared/words/events.ts'
import { english, languages, type Words } from '../functions/_shared/words/languages.ts'
import { type Message, render } from '../functions/_shared/words/render.ts'
import { sayMail } from '../functions/mail/words.ts'
import { columnOf } from './answers.ts'
import { hollow } from './mail-words.ts'
import { ownDatabase } from './people.ts'

const { sql } = await ownDatabase()
const FOLDER = join(import.meta.dirname, '../schemas')
const source = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.sql') && !/account\/event/.test(file))
  .map((file) => readFileSync(join(FOLDER, file), 'utf8'))
  .join('\n')

test('every event with words is one of the database', () => {
  const beginnings = Array.from(source.matchAll(/'([a-z-]+-)' \|\|/g), ([, beginning = '']) => beginning)
  const isKnown = (event: string) =>
    source.includes(`'${event}'`) || beginnings.some((beginning) => event.startsWith(beginning))
  expect(Object.keys(events).filter((event) => !isKnown(event))).toEqual([])
})

test('a mail that is always sent says why, and any other that it was not read', async () => {
  const always = await columnOf(sql`select event from jsonb_object_keys(${JSON.stringify(events)}) as event
    where private.is_always_mailed(event)`)
  const saysWhy = Object.keys(events).filter((event) => english.mails[event]?.closing)
  expect(saysWhy.sort()).toEqual(always.sort())
})

test('every page that mail leads to has its button, and no other', () => {
  const pages = Object.keys(english.pages)
  const calls = Array.from(
    source.matchAll(
      /\b(?:write_mail|mail_notification|mailing)\b[^;]*|answer_path[^;]*|tell_payment\([^;]*/g,
    ),
    ([call]) => call,
  ).join('\n')
  const led = new Set(
    Array.from(calls.matchAll(/'(\/[^']*)'/g), ([, path = '']) =>
      pages.find((page) => path.startsWith(page)),
    ),
  )
  expect([...led].sort()).toEqual([...pages].sort())
})

test('a mail names a plan in the language of its reader', () => {
  const subject = (plan: string, language: string | null) =>
    sayMail({
      ...{ id: '', attempt: 1, subject: null, html: null, about: [], recipient: '', unsubscribe_path: null },
      ...{ event: 'request-approved', params: { plan }, path: '/', language, time_zone: 'UTC' },
    }).subject
  expect(subject('Amazon Prime annual (Germany, Austria)', 'de')).toBe(
    'Deine Anfrage für Amazon Prime annual (Deutschland, Österreich) wurde angenommen.',
  )
  expect(subject('1Password Plus (5 seats)', 'fr')).toBe(
    'Ta demande pour rejoindre 1Password Plus (5 personnes) a été acceptée.',
  )
  expect(subject('Nintendo Family (12 months)', null)).toBe(
    'Your request to join Nintendo Family (12 months) has been approved.',
  )
})

test('a place that nothing filled or formatted is seen', () => {
  for (const text of ['The account now uses .', 'within  hours', '{days, plural, one {# day}}', 'See %s'])
    expect(hollow(text)).toEqual([text])
  expect(hollow('Olivia owes you €4.40, until 12:30 UTC.')).toEqual([])
})

/** Returns the values that select one of a message's forms, by parameter. */
function choicesIn(message: Message, found = new Map<string, Set<string>>()) {
  for (const token of typeof message === 'string' ? [] : message) {
    if (typeof token === 'string') continue
    const [name, kind, forms = {}] = token
    const known = found.get(name) ?? new Set(kind === 'plural' ? ['1', '3'] : [])
    if (kind === 'select') for (const form of Object.keys(forms)) known.add(form.replaceAll('_', '-'))
    found.set(name, known)
    for (const form of Object.values(forms))
      if (typeof form === 'object' || typeof form === 'string') choicesIn(form, found)
  }
  return found
}
const VALUES: Record<string, string> = {
  ...{ amount: '4.40', cost: '4.40', share: '4.40', rest: '4.40', fee: '1.00', coins: '12' },
  ...{ day: '2026-12-05', until: '2026-12-04T23:30:00Z', at: '2026-12-04T23:30:00Z' },
}

/** Returns parameters for the message, once for each of its forms. */
const samplesOf = (message: Message) =>
  [...choicesIn(message)].reduce<Record<string, string>[]>(
    (samples, [name, options]) =>
      [...(options.size > 0 ? options : [VALUES[name] ?? 'Olivia'])].flatMap((option) =>
        samples.map((sample) => ({ ...sample, [name]: option })),
      ),
    [{}],
  )
/** The messages by group, since a mail and a notification may have the same event name. */
const groupsOf = ({ events: notices, mails, authMails, ...others }: Words) =>
  Object.fromEntries<Record<string, Message>>(
    [...Object.entries({ notices, mails, authMails }), ['others', others] as const].flatMap(
      ([kind, groups]) => Object.entries(groups).map(([name, parts]) => [`${kind} ${name}`, parts] as const),
    ),
  )
const textsOf = (groups: object) =>
  Object.entries(groups).flatMap(([name, parts]) =>
    Object.entries<Message>(parts).map(([part, message]) => ({ name, part, message })),
  )

test('the database says each notification as its words do in English', async () => {
  const texts = textsOf(eventWords).flatMap(({ name, part, message }) => {
    const compiled = takeApart(String(message)) as Message
    return samplesOf(compiled).map((params) => ({
      ...{ name, part, params },
      said: render(compiled, params, { language: 'en', zone: 'UTC' }),
    }))
  })
  expect(texts.length).toBeGreaterThan(2 * Object.keys(events).length)
  const rows = await sql`select private.render_message(
      private.event_words(given ->> 'name') -> (given ->> 'part'), given -> 'params', gen_random_uuid()) as said
    from jsonb_array_elements(${JSON.stringify(texts)}) with ordinality as list (given, place) order by place`
  expect(rows.map(({ said }, index) => ({ ...texts[index], said }))).toEqual(texts)
})

test.each(Object.entries({ en: english, ...languages }))(
  'each mail, notice and push has all its places filled in %s',
  (language, words) => {
    const originals = groupsOf(english)
    const texts = textsOf(groupsOf(words))
    expect(texts.length).toBeGreaterThan(Object.keys(events).length)
    const faults: string[] = []
    const placesIn = (message: Message) => [...choicesIn(message).keys()].sort().join()
    for (const { name, part, message } of texts) {
      const samples = samplesOf(message).map((params) => ({
        said: render(message, params, { language })?.trim() ?? '',
        original: render(originals[name]?.[part] ?? '', params, { language: 'en' })?.trim(),
      }))
      // A sentence of a mail may be left out in some of its forms.
      const mayBeEmpty = part.startsWith('sentence_') && samples.some(({ said }) => said)
      for (const { said, original } of samples)
        if (hollow(said).length > 0 || (!said && (!mayBeEmpty || original)))
          faults.push(`${name} ${part}: ${said}`)
      // A translation has the same placeholders as the English text.
      if (placesIn(message) !== placesIn(originals[name]?.[part] ?? ''))
        faults.push(`${name} ${part}: other places than in English`)
    }
    expect(faults).toEqual([])
  },
)

test('words are said in the language and time zone of their reader', () => {
  const message: Message = [
    [['amount'], ' bis ', ['until'], ', am ', ['day'], ': '],
    [['hours', 'plural', { one: ['#', ' Stunde'], other: ['#', ' Stunden'] }], ' '],
    [['why', 'select', { no_access: [['plan']], other: '' }]],
  ].flat() as Message
  const params = {
    ...{ amount: 4.4, day: '2026-12-05', hours: 48 },
    why: 'no-access',
    plan: 'Netflix Premium',
  }
  const reader = { language: 'de', zone: 'Europe/Berlin' }
  expect(render(message, { ...params, until: '2026-12-04T23:30:00+00:00' }, reader)).toBe(
    '4,40\u00a0€ bis 5. Dezember um 00:30 MEZ, am 5. Dezember 2026: 48 Stunden Netflix Premium',
  )
  expect(render(message, params, reader)).toBeNull()
})
