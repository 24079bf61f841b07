// A constraint's name means nothing to people: no answer contains one, for any input.
import { beforeAll, describe, expect, test } from 'vitest'
import { addPerson, addStaff, ownDatabase, type Person, refusalOf } from '../people.ts'
import { openChat, setTheTable } from '../plans.ts'
import { prepareAttempts, tryAs } from './attempts.ts'
import { FUNCTIONS, type Nine, ROLES, TABLES } from './cells.ts'
import { type Scene, setTheScene } from './scene.ts'

const { db, sql } = await ownDatabase()
let scene: Scene
let names: Set<string>
beforeAll(async () => {
  scene = await setTheScene(db)
  await prepareAttempts(db)
  const known = await db.query<{ name: string }>(
    'select conname as name from pg_constraint union select indexrelid::regclass::text from pg_index where indisunique',
  )
  names = new Set(known.map(({ name }) => name.replace(/^.*\./, '')))
})

/**
 * Returns the index of the person who runs the statement: the first for whom the matrix expects success, or else the
 * first for whom it does not expect 42501.
 */
const triedBy = (answers: Nine) => {
  const may = answers.findIndex((answer) => !/^(\d|PT)/.test(answer))
  return may === -1 ? answers.findIndex((answer) => answer !== '42501') : may
}

const LONG = 'x'.repeat(20_000)
/** Returns variants of the statement, in each of which one text is too long or empty. */
const spoilt = (statement: string) =>
  Array.from(statement.matchAll(/'[^']*'/g)).flatMap(({ 0: text, index }) =>
    [LONG, ''].map(
      (other) => `${statement.slice(0, index)}'${other}'${statement.slice(index + text.length)}`,
    ),
  )

/** Returns the answers that contain a constraint's name, and the number of answers about a length. */
async function outcomesOf(statementsOf: (n: number) => string[]) {
  const naming: string[] = []
  let lengths = 0
  for (const [n, role] of ROLES.entries()) {
    const statements = statementsOf(n)
    for (const [at, outcome] of (await tryAs(db, scene, role, statements)).entries()) {
      if (!('message' in outcome)) continue
      if (/characters/.test(outcome.message)) lengths += 1
      const found = Array.from(outcome.message.matchAll(/"(\w+)"/g), ([, name = '']) => name)
      if (found.some((name) => names.has(name)))
        naming.push(`${role}: ${statements[at]?.replaceAll(/x{100,}/g, '…')}: ${outcome.message}`)
    }
  }
  return { naming, lengths }
}

/** Columns with a limit that a client may write. */
const limited = () =>
  db.query<{ table: string; column: string }>(`
    select distinct c.relname as table, a.attname as column
    from pg_constraint as k join pg_class as c on c.oid = k.conrelid
    join pg_attribute as a on a.attrelid = c.oid and a.attnum = any (k.conkey)
    where k.contype = 'c' and c.relnamespace = 'public'::regnamespace and pg_get_expr(k.conbin, k.conrelid) ~ 'char'
      and (has_column_privilege('authenticated', c.oid, a.attnum, 'insert') or has_column_privilege('authenticated', c.oid, a.attnum, 'update'))`)

test('no text of a table shows one, too long or empty', async () => {
  const columns = (await limited()).flatMap(({ table, column }) =>
    [LONG, ''].flatMap((text) => [
      `update public.${table} set ${column} = '${text}' returning to_jsonb(1)`,
      `insert into public.${table} (${column}) values ('${text}') returning to_jsonb(1)`,
    ]),
  )
  expect(columns.length).toBeGreaterThan(60)
  const written = (n: number) =>
    [...TABLES].flatMap(([table, { insert, update }]) => [
      ...insert.attempts
        .filter(({ answers }) => triedBy(answers) === n)
        .flatMap((one) => spoilt(`insert into public.${table} ${one.sql} returning to_jsonb(1)`)),
      ...update.attempts
        .filter(({ answers }) => triedBy(answers) === n)
        .flatMap((one) => spoilt(`update public.${table} set ${one.sql} returning to_jsonb(1)`)),
    ])
  const { naming, lengths } = await outcomesOf((n) => [...columns, ...written(n)])
  expect(naming).toEqual([])
  expect(lengths).toBeGreaterThan(30)
})

test('no text of a function shows one, too long or empty', async () => {
  const called = (n: number) =>
    [...FUNCTIONS.values()]
      .flat()
      .filter(({ answers }) => triedBy(answers) === n)
      .flatMap((one) =>
        spoilt(
          `select coalesce(jsonb_agg(a), '[]') from public.${/ as a\b/.test(one.sql) ? one.sql : `${one.sql} as a`}`,
        ),
      )
  const { naming, lengths } = await outcomesOf(called)
  expect(naming).toEqual([])
  expect(lengths).toBeGreaterThan(15)
})

test('every function that may write says constraints in our words, and so does every table that people write', async () => {
  const raw = await db.query(`
    select p.oid::regprocedure::text as found from pg_proc as p
    where pronamespace = 'public'::regnamespace and provolatile = 'v' and prosrc !~ 'private.refuse_constraint'
    union all
    select c.oid::regclass::text from pg_class as c
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and (has_any_column_privilege('authenticated', c.oid, 'insert') or has_any_column_privilege('authenticated', c.oid, 'update'))
      and not exists (select from pg_trigger where tgrelid = c.oid and tgname = 'refuse')`)
  // Messages are written most often, so their limits are checked in their own trigger, which is faster.
  expect(raw).toEqual([{ found: 'messages' }])
})

describe('what breaks a constraint', () => {
  let zoe: Person
  let sofia: Person
  let marc: Person
  let message: Record<string, string>
  beforeAll(async () => {
    zoe = await addPerson(db, 'Zoe')
    sofia = await addStaff(db, 'Sofia', 'super-admin')
    const table = await setTheTable(db)
    marc = table.marc
    message = { conversation_id: await openChat(db, table.plan, marc), content: 'Hello' }
    message.id = (await marc.insert('messages', message)).id
  })

  test.each<[string, () => Promise<unknown>, string, string, string]>([
    [
      ...([
        'a text that is too long',
        () => zoe.sql`update user_profiles set full_name = ${LONG} where user_id = ${zoe.id}`,
      ] as const),
      ...(['23514', 'Please use up to 120 characters', 'full_name'] as const),
    ],
    [
      ...([
        'an empty text',
        () =>
          sofia.insert('provider_rules', {
            provider: '',
            rule: 'off',
            reason: 'Gone',
            ground: 'law',
            clause: '1',
          }),
      ] as const),
      ...(['23514', 'Please use 1 to 200 characters', 'provider'] as const),
    ],
    [
      ...([
        'a value there is not',
        () => zoe.insert('payment_wishes', { kind: 'barter', note: 'A goat' }),
      ] as const),
      ...(['23514', 'This value isn’t allowed', 'kind'] as const),
    ],
    [
      ...([
        'nothing',
        () =>
          sofia.insert('provider_rules', { provider: 'Gone', rule: 'off', reason: 'Gone', ground: 'law' }),
      ] as const),
      ...(['23502', 'A value is missing', 'clause'] as const),
    ],
    [
      'what is not there',
      () =>
        sql`select private.refuse_constraint('23503', 'public', 'user_roles', 'user_roles_role_fkey', '', 'insert or update')`,
      ...(['23503', 'This refers to something that doesn’t exist', 'role'] as const),
    ],
    [
      ...(['what is there', () => zoe.sql`insert into user_profiles (user_id) values (${zoe.id})`] as const),
      ...(['23505', 'This exists already', 'user_id'] as const),
    ],
    [
      ...(['a message that is there', () => marc.insert('messages', message)] as const),
      ...(['23505', 'This exists already', 'id'] as const),
    ],
    [
      ...([
        'the name of a role in other letters',
        () => sofia.insert('system_roles', { name: 'Admin', permissions: '{}' }),
      ] as const),
      ...(['23505', 'This exists already', 'name'] as const),
    ],
    [
      'what others refer to',
      () =>
        sql`select private.refuse_constraint('23503', 'public', 'user_roles', 'user_roles_role_fkey', '', 'update or delete on table')`,
      ...(['23503', 'Something else still refers to this', 'role'] as const),
    ],
  ])('is refused in our words: %s', async (_what, write, code, message, column) => {
    expect(await refusalOf(write())).toEqual({ code, message })
    const told = await write().catch((error: { detail?: string }) => error.detail)
    expect(JSON.parse(String(told)).columns).toEqual([column])
  })

  test('goes into another row where its writer says so', async () => {
    for (const note of ['In cash', 'By post'])
      await zoe.sql`insert into payment_wishes (kind, note) values ('text', ${note})
        on conflict (user_id) do update set note = excluded.note`
    expect(await zoe.sql`select note from payment_wishes where user_id = ${zoe.id}`).toEqual([
      { note: 'By post' },
    ])
  })
})
