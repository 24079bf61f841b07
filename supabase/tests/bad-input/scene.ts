// What every table of bad input is tried on, and how it is tried.
import { expect } from 'vitest'
import type { openTestDatabase } from '../../../server/test/harness.ts'
import { addPeople, type Person, refusalOf } from '../people.ts'
import { ask, join, openChat, sharePlan } from '../plans.ts'

export type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>

export const MEGABYTE = 'x'.repeat(1_048_576)
export const ZERO_WIDTH = '\u200b\u200d\u2060\ufeff\u00ad\u2800\u3164'
export const BLANK = ' \t\u00a0\u3000'
export const SCRIPT = '<script>alert(1)</script>'
export const FAMILY = '👨‍👩‍👧‍👦'
export const RTL = '\u202eمرحبا\u202c'
/** Olivia owns a plan of four that Marc is on; Zoe asks to join; Nina has nothing. */
export interface Scene {
  db: TestDatabase
  olivia: Person
  marc: Person
  zoe: Person
  nina: Person
  plan: string
  conversation: string
  request: string
}

export async function setScene(db: TestDatabase): Promise<Scene> {
  const [olivia, marc, zoe, nina] = await addPeople(db, ['Olivia', 'Marc', 'Zoe', 'Nina'])
  const plan = await sharePlan(db, olivia)
  await join(db, marc, plan)
  const conversation = await openChat(db, plan, marc)
  const request = await ask(db, zoe, plan)
  return { db, olivia, marc, zoe, nina, plan: plan.id, conversation, request }
}

export interface Refusal {
  code: string
  /** The product's own sentence; absent where Postgres's own will do. */
  message?: string
}

type Values = readonly (string | null)[]

/** Expects that the person is refused like this, and that not a row of any table came, went or changed. */
export async function expectRefused(
  { db }: Scene,
  person: Person,
  [text, values]: readonly [string, Values],
  refusal: Refusal,
): Promise<void> {
  const before = await contents(db)
  expect(await refusalOf(person.run(text, [...values]))).toMatchObject({ ...refusal })
  expect(await contents(db)).toEqual(before)
}

/** Every table of the product and of its accounts: how many rows it has, and what they say. */
async function contents(db: TestDatabase): Promise<unknown[]> {
  const tables = await db.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class as c
     where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('public', 'private', 'auth') order by 1`,
  )
  const digest = ({ name }: { name: string }) =>
    `select '${name}' as name, count(*)::int as rows, md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) as digest from ${name} as t`
  return db.query(tables.map(digest).join(' union all '))
}
