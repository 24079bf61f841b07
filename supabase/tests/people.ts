// People for SQL tests: accounts created as the auth service creates them, and SQL run as one of them.
import { randomUUID } from 'node:crypto'
import { asCaller, type Caller } from '@potluck/server/db/as-caller.ts'
import type { Database, Row, Statement } from '@potluck/server/db/database.ts'
import { afterAll, expect } from 'vitest'
import { type Shelter, testDatabase } from '../../server/test/harness.ts'
import { hollowTexts } from './mail-words.ts'

/** Runs SQL: a template whose values are sent separately from the text, or a text with its values. */
export interface Asker {
  sql<R extends Row = Row>(text: TemplateStringsArray, ...values: readonly Value[]): Promise<R[]>
  run<R extends Row = Row>(text: string, values?: Statement['values']): Promise<R[]>
  /** Inserts a row with these columns and returns the whole row. */
  insert<R extends Row = Row & { id: string }>(table: string, row: Record<string, string | null>): Promise<R>
}
type Value = string | number | boolean | null | undefined

export interface Person extends Asker {
  id: string
  name: string
  email: string
  caller: Caller
}

function asker(run: (text: string, values: Statement['values']) => Promise<Row[]>): Asker {
  return {
    sql: <R extends Row>(text: TemplateStringsArray, ...values: readonly Value[]) =>
      run(
        String.raw({ raw: text }, ...values.map((_value, index) => `$${index + 1}`)),
        values.map((value) => (value === null || value === undefined ? null : String(value))),
      ) as Promise<R[]>,
    run: <R extends Row>(text: string, values: Statement['values'] = []) => run(text, values) as Promise<R[]>,
    insert: async <R extends Row>(table: string, row: Record<string, string | null>) => {
      const columns = Object.keys(row)
      const places = columns.map((_column, index) => `$${index + 1}`)
      const text = `insert into ${table} (${columns}) values (${places}) returning *`
      const [stored] = await run(text, Object.values(row))
      return stored as R
    },
  }
}

/** Runs each statement in its own transaction. */
export const calling = (db: Database, caller: Caller): Asker =>
  asker(async (text, values = []) => (await asCaller(db, caller, [{ text, values }]))[0] ?? [])

/** Runs SQL as the server itself, which needs no permission. */
export const statements = (db: Pick<Database, 'query'>): Asker =>
  asker((text, values = []) => db.query(text, [...values]))

/** A visitor: the anonymous key, not signed in. */
export const ANONYMOUS: Caller = { role: 'anon', claims: '{"role":"anon"}' }
export const visitor = (db: Database): Asker => calling(db, ANONYMOUS)

/**
 * A database for one test file, SQL as the server runs it, and a visitor. At the end, checks that no notification has
 * an unfilled placeholder.
 */
export async function ownDatabase(shelter?: Shelter) {
  const db = await testDatabase(shelter)
  afterAll(async () => expect(await hollowTexts(db)).toEqual([]))
  return { db, sql: statements(db).sql, VISITOR: visitor(db) }
}

/**
 * Creates an account of a private person of age, and a session in which they have just used an authenticator app. Each
 * call creates a different person, even with the same name. The first release knows no age.
 */
export async function addPerson(db: Database, name: string, isOfAge = true): Promise<Person> {
  const id = randomUUID()
  const email = `${name.toLowerCase()}.${id.slice(0, 8)}@potluck.example`
  await db.query(
    `insert into auth.users (id, aud, role, email, email_confirmed_at, raw_user_meta_data)
     values ($1, 'authenticated', 'authenticated', $2, now(), jsonb_build_object('name', $3::text))`,
    [id, email, name],
  )
  await db.query('insert into private.sellers (user_id, is_trader) values ($1, false)', [id])
  if (isOfAge) await confirmAge(db, id)
  return { id, name, email, ...signedInWith(db, { id, email }, ['totp', 'password']) }
}

/** Confirms a person's age, as they do before they share or take a paid place. */
export const confirmAge = (db: Database, id: string) =>
  db.query('update private.user_details set of_age_at = now() where user_id = $1', [id])

/** Runs SQL as a person whose session was proven with these methods `ago` seconds before. */
export function signedInWith(
  db: Database,
  { id, email }: Pick<Person, 'id' | 'email'>,
  methods: readonly string[],
  ago = 0,
): Asker & { caller: Caller } {
  const timestamp = Math.floor(Date.now() / 1000) - ago
  const aal = methods.some((method) => /^totp$|^mfa\//.test(method)) ? 'aal2' : 'aal1'
  const amr = methods.map((method) => ({ method, timestamp }))
  const claims = { sub: id, role: 'authenticated', aud: 'authenticated', email, aal, amr }
  const caller = { role: 'authenticated', claims: JSON.stringify(claims) }
  return { caller, ...calling(db, caller) }
}

export async function addStaff(db: Database, name: string, role: string): Promise<Person> {
  const person = await addPerson(db, name)
  await db.query('insert into user_roles (user_id, role) values ($1, $2)', [person.id, role])
  return person
}

/** Creates several people, and returns them in the order of the names. */
export async function addPeople<const N extends readonly string[]>(db: Database, names: N) {
  return (await Promise.all(names.map((name) => addPerson(db, name)))) as { [K in keyof N]: Person }
}

/** Returns the error with which the statement was refused; fails the test if it was not refused. */
export async function refusalOf(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(outcome instanceof Error) || !('code' in outcome)) throw outcome ?? new Error('It was not refused')
  return { code: String(outcome.code), message: outcome.message }
}

/** Codes of refusals: a broken rule, no permission, not found, already exists. */
export const rule = (message: string) => ({ code: '23514', message })
export const denied = (message: string) => ({ code: '42501', message })
export const notFound = (message: string) => ({ code: 'PT404', message })
export const taken = (message: string) => ({ code: '23505', message })
/** Refused by a grant or a policy of Postgres; with toMatchObject, any message will do. */
export const DENIED = { code: '42501' }
