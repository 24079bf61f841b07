import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'

const NAMES = [
  'Premium',
  'Standard with Ads',
  'Premium (2 TB)',
  'Family (annual)',
  'Family + Expansion Pack (12 months)',
  'VPN Plus (2 years)',
  'Plus (5 seats)',
  'Unlimited (12-month term)',
  'Unlimited (cancel monthly)',
  'Amazon Prime annual (Germany, Austria)',
]

async function namesIn(language: string) {
  vi.stubGlobal('LANGUAGE', language)
  vi.resetModules()
  const { planName } = await import('./plan-name.ts')
  return NAMES.map(planName)
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

test('a name keeps what the provider calls its plan; what tells plans apart is said in the page’s language', async () => {
  expect(await namesIn('en')).toEqual(NAMES.with(6, 'Plus (5 people)'))
  expect(await namesIn('de')).toEqual([
    'Premium',
    'Standard with Ads',
    'Premium (2 TB)',
    'Family (jährlich)',
    'Family + Expansion Pack (12 Monate)',
    'VPN Plus (2 Jahre)',
    'Plus (5 Personen)',
    'Unlimited (12 Monate Laufzeit)',
    'Unlimited (monatlich kündbar)',
    'Amazon Prime annual (Deutschland, Österreich)',
  ])
})

const ROOT = join(import.meta.dirname, '../../..')
const textsIn = (folder: string, name: RegExp) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file) && !/\.(test|gen)\./.test(file))
    .map((file) => ({ file, text: readFileSync(join(ROOT, folder, file), 'utf8') }))

/** This file ranks plans by the words of their stored names, but never shows a stored name. */
const SEARCH = /search-plans\.ts$/

test('no screen shows a stored name', () => {
  const sql = textsIn('supabase/schemas', /\.sql$/)
  const namesOf = (declared: RegExp, names: RegExp) =>
    sql.flatMap(({ text }) =>
      [...text.matchAll(declared)].flatMap(([all, name]) => (names.test(all) ? [String(name)] : [])),
    )
  const calls = namesOf(
    /^create function (?:private|public)\.(\w+)\((?:(?!\ncreate ).)*?\nlanguage/gms,
    /returns table \(.*\b(plan|plan_name) text/s,
  )
  const tables = namesOf(/^create table public\.(\w+) \(.*?^\)/gms, /^ {2}plan_name text/m)
  expect(calls).toEqual(expect.arrayContaining(['my_seats', 'reviews_of', 'list_transfers']))
  expect(tables).toEqual(expect.arrayContaining(['member_payments', 'seat_problems', 'debts']))

  const raw = textsIn('web/src', /\.tsx?$/).flatMap(({ file, text }) => {
    const isShown = /\b(named|planName)\(/.test(text)
    const called = calls.filter((call) => !isShown && text.includes(`rpc('${call}'`))
    const read = tables.filter((table) => new RegExp(`(?<!named\\()camel<TableRow<'${table}'>>`).test(text))
    const beside = SEARCH.test(file) ? [] : (text.match(/provider(\.name)?\} \$?\{[\w.?]*\bname\}/g) ?? [])
    return [...called, ...read, ...beside].map((what) => `${file}: ${what}`)
  })
  expect(raw).toEqual([])
})
