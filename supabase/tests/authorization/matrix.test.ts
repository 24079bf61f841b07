// Executes docs/authorization.md cell by cell. How to add cells: cells.ts.
// Proves NOTIF 10 11, ROLE 08 12 13, PLAN 23, MEMB 05 09, REQ 20, CHAT 03 07 14 15, CREATE 10 17, CATALOG
// 08, WALLET 17, ADMIN 02 04 28 31, DATA 09-12, API 14 16 17 25 30 31 37, ERR 18 36, REP 06
import { beforeAll, describe, expect, test } from 'vitest'
import { ownDatabase } from '../people.ts'
import { named, prepareAttempts, tryAs } from './attempts.ts'
import { FUNCTIONS, ROLES, type Role, TABLES } from './cells.ts'
import { functionLines, type Key, type Line, tableLines } from './lines.ts'
import { exposedObjects, type Objects, type Relation } from './objects.ts'
import { type Scene, setTheScene } from './scene.ts'
import { keyText, type Sets } from './words.ts'

const { db } = await ownDatabase()
let objects: Objects
let scene: Scene
beforeAll(async () => {
  objects = await exposedObjects(db)
  scene = await setTheScene(db)
  await prepareAttempts(db)
})

test('no table and no function that clients could reach is left out, and none is listed that is not there', () => {
  expect([...TABLES.keys()].sort()).toEqual(objects.relations.map(({ name }) => name))
  expect([...FUNCTIONS.keys()].sort()).toEqual(objects.functions.map(({ name }) => name))
})

describe('every table answers each of the nine as expected', () => {
  test.each([...TABLES.keys()])('%s', async (name) => {
    const relation = relationCalled(name)
    const keys = await keysOf(relation)
    expect(keys.length, 'rows in the scene, without which nothing is proved').toBeGreaterThan(0)
    const cells = TABLES.get(name)
    const lines = cells ? tableLines(relation, cells, keys) : []
    await expectAnswers(lines, (role) => setsFor(role, relation, keys, cells?.rows ?? new Map()))
  })
})

describe('every function answers each of the nine as expected', () => {
  test.each([...FUNCTIONS.keys()])('%s', async (name) => {
    const calls = FUNCTIONS.get(name) ?? []
    const known = objects.functions.find((one) => one.name === name)
    if (!known) throw new Error(`There is no function ${name}`)
    await expectAnswers(functionLines(calls, known), async () => ({ all: [], named: new Map() }))
  })
})

test('every function that takes a p_user_id refuses one that is not the caller', async () => {
  const calls = await db.query<{ call: string }>(
    `select format('%I(%s)', p.proname, string_agg(
       a.name || ' => ' || case a.name when 'p_user_id' then ':lea' else 'null::' || a.type::regtype end, ', ')) as call
     from pg_proc as p, unnest(p.proargnames, p.proargtypes::oid[]) as a (name, type)
     where p.pronamespace = 'public'::regnamespace and a.type is not null and 'p_user_id' = any (p.proargnames)
     group by p.oid, p.proname order by 1`,
  )
  expect(calls.length).toBeGreaterThan(7)
  const outcomes = await tryAs(
    db,
    scene,
    'stranger',
    calls.map(({ call }) => `select coalesce(jsonb_agg(a), '[]') from public.${call} as a`),
  )
  expect(calls.map(({ call }, n) => ({ call, ...outcomes[n] }))).toMatchObject(
    calls.map(() => ({ code: '42501' })),
  )
})

/** Compares whole tables of answers, so that a failure shows everything that differs. */
async function expectAnswers(lines: Line[], setsOf: (role: Role) => Promise<Sets>): Promise<void> {
  const expected: Record<string, string> = {}
  const found: Record<string, string> = {}
  for (const [n, role] of ROLES.entries()) {
    const sets = await setsOf(role)
    const outcomes = await tryAs(
      db,
      scene,
      role,
      lines.flatMap(({ statements }) => statements),
    )
    for (const { action, about, answers, statements, read } of lines) {
      const cell = `${action} ${about} as ${role}`
      expected[cell] = answers[n] ?? ''
      found[cell] = read(outcomes.splice(0, statements.length), sets, answers[n] ?? '')
    }
  }
  expect(Object.keys(expected)).toHaveLength(lines.length * ROLES.length)
  expect(found).toEqual(expected)
}

function relationCalled(name: string): Relation {
  const relation = objects.relations.find((one) => one.name === name)
  if (!relation) throw new Error(`There is no table ${name}`)
  return relation
}

async function keysOf({ name, key }: Relation, where = 'true'): Promise<Key[]> {
  const rows = await db.query<{ key: Key }>(
    `select to_jsonb(k) as key from (select ${key.join(', ')} from public.${name} where ${where}) as k`,
  )
  return rows.map((row) => row.key)
}

async function setsFor(
  role: Role,
  relation: Relation,
  keys: Key[],
  conditions: ReadonlyMap<string, string>,
): Promise<Sets> {
  const sets = new Map<string, string[]>()
  for (const [name, condition] of conditions) {
    sets.set(name, (await keysOf(relation, named(scene, role, condition))).map(keyText))
  }
  return { all: keys.map(keyText), named: sets }
}
