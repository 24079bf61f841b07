// Runs PostgREST's own specification, with its own fixtures, against our Data API.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Hono } from 'hono'
import { pino } from 'pino'
import type { Database, Row } from '#db/database.ts'
import { openPostgres } from '#db/postgres.ts'
import { Turns, turnLimits } from '#db/turns.ts'
import { restRoutes } from '#rest/routes.ts'
import { urlOf } from '../cluster.ts'
import type { Outcome } from './report.ts'
import { type Expectation, isJson, readSpec } from './spec.ts'

const ANONYMOUS = 'anon'
const FIXTURES = ['roles', 'schema', 'jwt', 'jsonschema', 'privileges', 'data']

/** Runs every example that consists of requests and expected responses; other examples are reported as `unread`. */
export async function runPostgrest(checkout: string, cluster: string): Promise<Outcome[]> {
  const db = await openFixtures(join(checkout, 'test/spec/fixtures'), cluster)
  const routes = restRoutes({
    db: undoing(db),
    identify: async () => ({
      ...{ role: ANONYMOUS, claims: JSON.stringify({ role: ANONYMOUS }), token: '' },
      parsed: { role: ANONYMOUS },
    }),
    ...{ turns: new Turns(turnLimits(db.places)), trustProxy: false, log: pino({ level: 'silent' }) },
    ...{ maxRows: 1_000_000, schemas: ['test'] },
  })
  const app = new Hono().route('/', routes)
  const folder = join(checkout, 'test/spec/Feature/Query')
  const outcomes: Outcome[] = []
  for (const file of (await readdir(folder, { recursive: true })).sort()) {
    if (!file.endsWith('.hs')) continue
    for (const { name, steps } of readSpec(await readFile(join(folder, file), 'utf8'))) {
      const test = `${file.replace('Spec.hs', '')}: ${name}`
      const wrong = steps && (await firstWrong(app, steps))
      outcomes.push({ test, result: !steps ? 'unread' : wrong ? 'failed' : 'passed', why: wrong ?? '' })
    }
  }
  await db.close()
  return outcomes
}

async function openFixtures(folder: string, cluster: string): Promise<Database> {
  const admin = await openPostgres(cluster, { max: 1 })
  await admin.query('create database upstream_postgrest')
  await admin.close()
  const db = await openPostgres(urlOf(cluster, 'upstream_postgrest'))
  await db.transaction(async (tx) => {
    await tx.script('drop schema public cascade')
    for (const name of FIXTURES) {
      const sql = await readFile(join(folder, `${name}.sql`), 'utf8')
      await tx.script(`${adapted(sql)}; reset search_path`)
    }
  })
  return db
}

const SHAPES = `create domain extensions.geometry as text;
  create function extensions.st_geomfromgeojson(text) returns text language sql as 'select $1';`

/** Fills in psql's variables, and replaces the types of PostGIS with text, since few machines have PostGIS. */
const adapted = (sql: string) =>
  sql
    .replaceAll(':"PGUSER"', 'postgres')
    .replaceAll('postgrest_test_anonymous', ANONYMOUS)
    .replace(/^DROP ROLE.*$/m, '')
    .replace(/^copy \(select .*$/gm, '')
    .replace(
      /^COPY ([^\n]*) FROM STDIN CSV DELIMITER '\|';\n(.*?)\n\\\.$/gms,
      (_all, into: string, rows: string) => {
        const cells = (row: string) => row.split('|').map((cell) => `'${cell.replaceAll("'", "''")}'`)
        return `insert into ${into} values ${rows.split('\n').map((row) => `(${cells(row)})`)};`
      },
    )
    .replace(/^create extension.* postgis .*$/m, () => SHAPES)
    .replace(/extensions\.geometry\s*\([^)]*\)/g, 'extensions.geometry')

class Undone extends Error {}

/**
 * Rolls back every request, as PostgREST's specification does, and lets functions find their tables in the schema
 * `test`.
 */
function undoing(db: Database): Database {
  return {
    ...db,
    batch: async (statements, options = {}) => {
      let rows: Row[][] = []
      const found = statements.map(({ text, ...values }) => ({
        ...{ text: text.replace("'public, extensions'", "'test'") },
        ...values,
      }))
      const beforeCommit = (results: Row[][]) => {
        options.beforeCommit?.(results)
        rows = results
        throw new Undone()
      }
      await db.batch(found, { ...options, beforeCommit }).catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error
      })
      return rows
    },
  }
}

async function firstWrong(app: Hono, steps: Expectation[]): Promise<string | undefined> {
  for (const step of steps) {
    const headers = new Headers(step.headers.filter(([name]) => name !== 'Prefer'))
    const preferences = step.headers.filter(([name]) => name === 'Prefer').map(([, value]) => value)
    if (preferences.length > 0) headers.set('Prefer', preferences.join(', '))
    if (step.body !== '' && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json')
    const hasBody = step.body !== '' && step.method !== 'GET' && step.method !== 'HEAD'
    const path = encodeURI(`/${step.path.replace(/^\//, '')}`)
      .replace(/%25(?=[\da-f]{2})/gi, '%')
      .replaceAll('#', '%23')
    const answer = await app.request(`http://localhost${path}`, {
      ...{ method: step.method, headers },
      ...(hasBody && { body: step.body }),
    })
    const wrong = difference(step, answer, await answer.text())
    if (wrong) return `${step.method} ${step.path}: ${wrong}`
  }
  return undefined
}

// Only these headers are compared, because others depend on how the response is sent.
const COMPARED = new Set(['content-range', 'preference-applied', 'location'])

function difference(step: Expectation, answer: Response, text: string): string | undefined {
  const told = text.slice(0, 300)
  if (answer.status !== step.status) return `${answer.status} instead of ${step.status}, ${told}`
  for (const [name, value] of step.answerHeaders) {
    if (COMPARED.has(name) && answer.headers.get(name) !== value)
      return `${name} is ${answer.headers.get(name)} instead of ${value}`
  }
  if (step.answer === undefined || text === step.answer) return undefined
  const same = step.json && isJson(text) && isDeepStrictEqual(JSON.parse(text), JSON.parse(step.answer))
  return same ? undefined : `${told} instead of ${step.answer.slice(0, 300)}`
}
