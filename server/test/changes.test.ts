// What readers of changes hear of writers that commit late, undo, or write just as the reader falls asleep.
//
// | who                                  | hears                                           |
// |--------------------------------------|-------------------------------------------------|
// | a reader, awake or asleep            | each committed change once, an undone one never |
// | a second server                      | the same                                        |
// | a reader that deletes what it read   | the same, and in the end nothing is left        |
// | whoever restores another's database  | nothing of the changes in it                    |
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPostgres } from '#db/postgres.ts'
import { eventually } from './eventually.ts'
import { addThings, changeThings, inOrder, noteThings } from './fixtures/changes.ts'
import { testDatabase } from './harness.ts'

const db = await testDatabase()
await addThings(db)
const left = async () => (await db.query<{ id: number }>('select id from realtime.changes')).length

test('every server hears each committed change once', async () => {
  const other = db.url === undefined ? undefined : await openPostgres(db.url, { max: 1 })
  const readers = await Promise.all([db, other ?? db].map((one) => noteThings(one)))
  const [first, second] = readers
  const committed = inOrder(await changeThings(db, 3_000, first?.heard ?? []))
  expect(inOrder(first?.heard ?? [])).toEqual(committed)
  await eventually(() => expect(inOrder(second?.heard ?? [])).toEqual(committed))
  expect(await left()).toBe(committed.length)
  for (const { loads, close } of readers) {
    expect(loads).toHaveLength(1)
    await close()
  }
  await other?.close()
})

test('what was read is deleted, and nothing that was not', async () => {
  const reader = await noteThings(db, { sweepMs: 50 })
  const committed = await changeThings(db, 1_000, reader.heard)
  expect(inOrder(reader.heard)).toEqual(inOrder(committed))
  await eventually(async () => expect(await left()).toBe(0))
  await reader.close()
})

test('reading what is new takes no longer after large transactions', async () => {
  const insert = `insert into realtime.changes (schema, "table", type, record)
    select 'public', 'things', 'INSERT', jsonb_build_object('note', repeat('x', 500)) from generate_series(1, 5000)`
  for (let made = 0; made < 3; made++) await db.query(insert)
  await db.transaction((tx) => tx.script('analyze realtime.changes'))
  const [now] = await db.query<{ from: string }>('select pg_current_snapshot()::text as from')
  const read = async () => {
    const plan = await db.query<{ 'QUERY PLAN': string }>(
      'explain (analyze, buffers) select * from realtime.read_changes($1, null, 0, 100)',
      [String(now?.from)],
    )
    return Number(/shared hit=(\d+)/.exec(plan.map((row) => row['QUERY PLAN']).join())?.[1])
  }
  // The first call also reads the catalog.
  await read()
  expect(await read()).toBeLessThan(20)
  await db.query('delete from realtime.changes')
})

test('a database that was restored from another cluster has changes of later transactions, which nobody hears', async () => {
  const reader = await noteThings(db)
  await db.query(
    `insert into realtime.changes (xid, schema, "table", type) values ('9000000000000000000', 'public', 'things', 'INSERT')`,
  )
  const committed = await changeThings(db, 1, reader.heard)
  expect(reader.heard).toHaveLength(committed.length)
  await reader.close()
  const start = await readFile(join(import.meta.dirname, '../src/platform/30_realtime.sql'), 'utf8')
  await db.transaction((tx) => tx.script(start))
  expect(await left()).toBe(committed.length)
})
