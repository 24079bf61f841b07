// Renders the database's terms and rate limits that the web app shows or checks beforehand.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { AuthSettings } from '@potluck/server/auth/auth-settings.ts'
import type { Database } from '@potluck/server/db/database.ts'

/** A term is a constant function of `private` without parameters. */
const TERMS = `
  select proname as name, pg_get_function_result(oid) as type, oid::regproc::text as function
  from pg_proc where pronamespace = 'private'::regnamespace and provolatile = 'i' and pronargs = 0 and not proretset
    and prorettype in ('interval'::regtype, 'interval[]'::regtype, 'integer'::regtype, 'numeric'::regtype, 'text[]'::regtype)
  order by proname`

const HEADER = '// Generated from the schema by `npm run types`. Do not edit.\n'

/** The line width in biome.json. */
const LINE_WIDTH = 110

const ROOT = resolve(import.meta.dirname, '../..')
const READERS = [
  'web/src',
  'web/landing',
  'web/build',
  'web/test',
  'supabase/functions',
  'supabase/tests',
  'e2e',
]

/** Returns the sources that may use a term or an allowance; unused ones are left out. */
const sources = () =>
  READERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/(limits|terms)\.ts$/.test(file))
      .map((file) => readFileSync(join(ROOT, folder, file), 'utf8')),
  ).join('\n')

/** Each term is an export of its own, so that a page loads those it uses. */
export async function renderTerms(db: Pick<Database, 'query'>): Promise<string> {
  const terms = await db.query<{ name: string; type: string; function: string }>(TERMS)
  const read = sources()
  const values = (await Promise.all(terms.map((term) => termOf(db, term)))).filter(([name]) =>
    new RegExp(`\\bLIMITS\\.${name}\\b`).test(read),
  )
  return `${HEADER}
${values.map(([name, value]) => written(name, value)).join('')}`
}

export async function renderLimits(db: Pick<Database, 'query'>, auth: AuthSettings): Promise<string> {
  const read = sources()
  const allowances = (
    await db.query<{ action: string; attempts: number; seconds: number }>(
      'select action, attempts, window_seconds as seconds from private.rate_limits order by action',
    )
  ).filter(({ action }) => read.includes(`'${action}'`))
  const { mailInterval, failedAttempts } = auth.rateLimits
  const signIn = { action: 'auth attempt', attempts: failedAttempts.count, seconds: failedAttempts.seconds }
  return `${HEADER}
/** The terms people are told. */
export * as LIMITS from './terms.ts'

/**
 * Each action's limit per person: this many attempts within this many seconds. 'auth attempt' is listed with the rest,
 * but the auth service enforces it.
 */
export const ALLOWANCES = {
${[signIn, ...allowances].map(({ action, attempts, seconds }) => `  ${/^\w+$/.test(action) ? action : `'${action}'`}: { attempts: ${attempts}, seconds: ${seconds} },\n`).join('')}} as const

/** Seconds between two mails of the auth service to one address; from config.toml. */
export const MAIL_WAIT_SECONDS = ${mailInterval.seconds}
/** The hours for which a mailed link or code works; from config.toml. */
export const MAILED_CODE_HOURS = ${auth.otpExpirySeconds / 3600}
`
}

/** Writes a constant as the formatter would. */
function written(name: string, value: number | (number | string)[]): string {
  const line = (content: string) => `export const ${name} = ${content}\n`
  if (typeof value === 'number') return line(String(value))
  const items = value.map((one) => (typeof one === 'number' ? String(one) : `'${one}'`))
  const short = line(`[${items.join(', ')}] as const`)
  return short.length <= LINE_WIDTH + 1
    ? short
    : line(`[\n${items.map((one) => `  ${one},\n`).join('')}] as const`)
}

/** Reads the value of a term. Times are in whole hours if possible, otherwise in minutes; the name has the unit. */
async function termOf(
  db: Pick<Database, 'query'>,
  { name, type, function: called }: { name: string; type: string; function: string },
): Promise<[name: string, value: number | number[] | string[]]> {
  const camel = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  if (type === 'text[]') {
    const [row] = await db.query<{ value: string[] }>(`select to_json(${called}()) as value`)
    return [camel, row?.value ?? []]
  }
  if (!type.startsWith('interval')) {
    const [row] = await db.query<{ value: number }>(`select ${called}()::float8 as value`)
    return [camel, row?.value ?? Number.NaN]
  }
  const [row] = await db.query<{ minutes: number[] }>(
    `select jsonb_agg(extract(epoch from one)::float8 / 60) as minutes
     from unnest(${type === 'interval' ? `array[${called}()]` : `${called}()`}) as one`,
  )
  const minutes = row?.minutes ?? []
  const unit = minutes.every((value) => value % 60 === 0) ? 60 : 1
  const values = minutes.map((value) => value / unit)
  return [`${camel}${unit === 60 ? 'Hours' : 'Minutes'}`, type === 'interval' ? (values[0] ?? 0) : values]
}
