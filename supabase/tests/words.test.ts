// All notifications have words for other languages, with parameters that the database passes.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { events } from '../functions/_shared/words/events.ts'
import { languages } from '../functions/_shared/words/languages.ts'
import { authMails, mails, phrases } from '../functions/_shared/words/mails.ts'
import { type Message, render } from '../functions/_shared/words/render.ts'
import { hollow } from './mail-words.ts'

const FOLDER = join(import.meta.dirname, '../schemas')
const sources = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.sql'))
  .map((file) => readFileSync(join(FOLDER, file), 'utf8'))

/** The position of the event in calls of the notifying functions, and parameters they add to every event. */
const TELLERS: Record<string, { at: number; adds?: string[] }> = {
  notify: { at: 5 },
  tell_seat: { at: 3, adds: ['plan', 'member', 'owner'] },
  tell_payment: { at: 3, adds: ['plan', 'member', 'owner', 'amount', 'note'] },
  tell_problem: { at: 3, adds: ['plan', 'member', 'owner', 'until', 'outcome', 'hours', 'held', 'money'] },
  tell_treasurers: { at: 3 },
  tell_hold: { at: 4 },
  admit_member: { at: 4, adds: ['plan'] },
}

/** The arguments of the call that opens before `start`. */
function argumentsFrom(sql: string, start: number): string[] {
  const found = ['']
  for (let at = start, depth = 0, quoted = false; at < sql.length; at++) {
    const char = sql[at] ?? ''
    if (char === "'") quoted = !quoted
    if (!quoted) {
      if ('(['.includes(char)) depth += 1
      if (')]'.includes(char) && depth-- === 0) break
      if (char === ',' && depth === 0) {
        found.push('')
        continue
      }
    }
    found[found.length - 1] += char
  }
  return found.map((argument) => argument.trim())
}

const everyCall = sources.flatMap((sql) =>
  Array.from(sql.matchAll(/(?<!create function )private\.(\w+)\(/g), ({ 0: whole, 1: name = '', index }) => ({
    name,
    given: argumentsFrom(sql, index + whole.length),
  })),
)
const calls = everyCall.flatMap(({ name, given }) => {
  const teller = TELLERS[name]
  if (!teller) return []
  const event = given[teller.at] ?? 'none'
  // Functions that pass on others' events.
  if (event === 'p_event') return []
  const keys = given
    .slice(teller.at)
    .flatMap((argument) => [...argument.matchAll(/(?:jsonb_build_object\(|, *\n? *)'([a-z-]+)'(?=,)/g)])
  return [{ event, params: [...(teller.adds ?? []), ...keys.map(([, key = '']) => key)] }]
})
const literally = (expression: string) => expression.replaceAll(/when '[^']*'/g, '').split("'")
const literals = new Set(calls.flatMap(({ event }) => literally(event)))
/** The events a call may send: the possible values of its expression. */
const eventsOf = (expression: string) =>
  Object.keys(events).filter((event) =>
    expression.includes('||')
      ? event.startsWith(expression.split("'")[1] ?? '?') && !literals.has(event)
      : literally(expression).includes(event),
  )

const namesIn = (message: string) =>
  new Set(Array.from(message.matchAll(/\{(\w+)(?:\}|, (?:select|plural))/g), ([, name]) => name))

test('every event has its words', () => {
  expect(calls.filter(({ event }) => eventsOf(event).length === 0)).toEqual([])
  const told = new Set(calls.flatMap(({ event }) => eventsOf(event)))
  // Pushes and mails have events of their own.
  const named = (event: string) => told.has(event) || sources.some((sql) => sql.includes(`'${event}'`))
  expect(Object.keys(events).filter((event) => !named(event))).toEqual([])
})

test('every button of a mail about a notification is a phrase', () => {
  const buttons = everyCall
    .filter(({ name }) => name === 'mail_notification')
    .flatMap(({ given }) => [...(given[2] ?? '').matchAll(/'([^']+)'/g)].map(([, button]) => button))
  expect(buttons.length).toBeGreaterThan(9)
  expect(buttons.filter((button) => !phrases.includes(button ?? ''))).toEqual([])
})

test('words name only what is passed with every telling of their event', () => {
  const lacking = calls.flatMap(({ event, params }) =>
    eventsOf(event).flatMap((one) =>
      [...namesIn(Object.values({ ...events[one] }).join(' '))]
        .filter((name) => !params.includes(name ?? ''))
        .map((name) => `${one}: ${name}`),
    ),
  )
  expect(lacking).toEqual([])
})

test('a place that nothing filled or formatted is seen', () => {
  for (const text of ['The account now uses .', 'within  hours', '{days, plural, one {# day}}', 'See %s'])
    expect(hollow(text)).toEqual([text])
  expect(hollow('Olivia owes you €4.40, until 12:30 UTC.')).toEqual([])
})

/** Each value that selects words, by its parameter. */
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
  ...{ amount: '4.40', cost: '4.40', share: '4.40', rest: '4.40', coins: '12' },
  ...{ day: '2026-12-05', until: '2026-12-04T23:30:00Z', at: '2026-12-04T23:30:00Z' },
}

test.each(Object.entries(languages))(
  'each mail, notice and push has all its places filled in %s',
  (language, words) => {
    const texts = [
      ...Object.entries(words.events),
      ...Object.entries(words.mails),
      ...Object.entries(words.authMails),
    ]
    expect(texts.length).toBeGreaterThan(Object.keys(events).length)
    const faults: string[] = []
    for (const [event, parts] of texts)
      for (const [part, message] of Object.entries(parts as Record<string, Message>)) {
        const english = { ...events, ...mails, ...authMails }[event] as unknown as Record<string, string>
        const choices = [...choicesIn(message)]
        for (const [name, options] of [...choices, ['', new Set([''])] as const])
          for (const option of options.size > 0 ? options : ['']) {
            const params = Object.fromEntries(
              choices.map(([one, [first]]) => [one, VALUES[one] ?? first ?? 'Olivia']),
            )
            const said = render(message, { ...params, ...(option && { [name]: option }) }, { language })
            if (!said?.trim() || hollow(said).length > 0) faults.push(`${event} ${part}: ${said}`)
          }
        // Nor does a translation need more, or fewer, parameters than English.
        const names = namesIn(english[part] ?? '')
        if (
          choices
            .map(([name]) => name)
            .sort()
            .join() !== [...names].sort().join()
        )
          faults.push(`${event} ${part}: other places than in English`)
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
