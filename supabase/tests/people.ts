// People for SQL tests: accounts made as the auth service makes them, and SQL run as one of them.
import { randomUUID } from 'node:crypto'
import { asCaller, type Caller } from '@potluck/server/db/as-caller.ts'
import type { Database, Row, Statement } from '@potluck/server/db/database.ts'

export interface Person {
  id: string
  name: string
  email: string
  caller: Caller
}

/** A visitor: the anonymous key and nobody signed in. */
export const VISITOR: Pick<Person, 'caller'> = { caller: { role: 'anon', claims: '{"role":"anon"}' } }

/** Opens an account. Everybody called the same is a different person. */
export async function addPerson(db: Database, name: string): Promise<Person> {
  const id = randomUUID()
  const email = `${name.toLowerCase()}.${id.slice(0, 8)}@potluck.example`
  await db.query(
    `insert into auth.users (id, aud, role, email, email_confirmed_at, raw_user_meta_data)
     values ($1, 'authenticated', 'authenticated', $2, now(), jsonb_build_object('name', $3::text))`,
    [id, email, name],
  )
  const claims = JSON.stringify({ sub: id, role: 'authenticated', aud: 'authenticated', email })
  return { id, name, email, caller: { role: 'authenticated', claims } }
}

/** Several people at once, in the order of their names. */
export async function addPeople(db: Database, names: readonly string[]): Promise<Person[]> {
  return Promise.all(names.map((name) => addPerson(db, name)))
}

/** Runs one statement as the person, in a transaction of its own. */
export async function as<R extends Row = Row>(
  db: Database,
  person: Pick<Person, 'caller'>,
  text: string,
  values: Statement['values'] = [],
): Promise<R[]> {
  const [rows = []] = await asCaller(db, person.caller, [{ text, values }])
  return rows as R[]
}

/** What the statement was refused with; fails the test when it was not refused. */
export async function refusalOf(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  const outcome = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(outcome instanceof Error) || !('code' in outcome)) throw outcome ?? new Error('It was not refused')
  return { code: String(outcome.code), message: outcome.message }
}

/** What a refusal is: a broken rule, something that is not theirs to do, nothing there, something there already. */
export const rule = (message: string) => ({ code: '23514', message })
export const denied = (message: string) => ({ code: '42501', message })
export const notFound = (message: string) => ({ code: 'PT404', message })
export const taken = (message: string) => ({ code: '23505', message })
/** Refused by a grant or a policy, in the words of Postgres. */
export const DENIED = { code: '42501' }
