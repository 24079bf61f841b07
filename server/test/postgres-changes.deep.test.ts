// Many changes on a young cluster with two servers, whose listening connections are killed, and a crash.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { migrate, readMigrations } from '#db/migrate.ts'
import { openPostgres } from '#db/postgres.ts'
import { findPostgres } from '../../scripts/postgres.mjs'
import { startCluster } from './cluster.ts'
import { eventually } from './eventually.ts'
import { addThings, changeThings, inOrder, noteThings } from './fixtures/changes.ts'

const cluster = await startCluster(findPostgres() ?? '')
const db = await openPostgres(cluster.url, { max: 12 })
await migrate(db, {
  platform: await readMigrations(`${import.meta.dirname}/../src/platform`),
  migrations: [],
})
await addThings(db)
afterAll(async () => {
  await db.close()
  await cluster.stop()
})

const openServer = async () => {
  const own = await openPostgres(cluster.url, { max: 1 })
  const notes = await noteThings(own)
  return { ...own, ...notes, end: () => notes.close().then(own.close) }
}
const locks = async () =>
  (
    await db.query(
      `select from pg_locks where locktype = 'advisory' and classid = 7334 and mode = 'ExclusiveLock'`,
    )
  ).length

test('one server hears each of 100,000 changes once, and another, whose connection is killed, lacks none', {
  timeout: 900_000,
}, async () => {
  const [steady, killed] = await Promise.all([openServer(), openServer()])
  let isOver = false
  const asleep: number[] = []
  const killing = (async () => {
    while (!isOver) {
      await pause(Math.random() * 1_000)
      asleep.push(await locks())
      await killed.queryAsListener('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined)
    }
  })()
  const committed = inOrder(await changeThings(db, 100_000, steady.heard))
  isOver = true
  await killing
  expect(inOrder(steady.heard)).toEqual(committed)
  expect(steady.loads).toHaveLength(1)
  await eventually(() => expect(killed.shown.size).toBe(committed.length))
  expect(inOrder(killed.shown)).toEqual(committed)
  expect(new Set(killed.heard).size).toBe(killed.heard.length)
  expect(killed.loads.length).toBeGreaterThan(30)
  // The writers met readers in both states.
  expect(Math.min(...asleep)).toBe(0)
  expect(Math.max(...asleep)).toBe(2)

  // A crash empties the table, and transaction ids may be used again.
  await cluster.crash()
  await eventually(() => expect(steady.loads.length).toBeGreaterThan(1))
  await Promise.all(steady.loads)
  const later = await changeThings(db, 1_000, steady.heard)
  expect(inOrder(steady.shown)).toEqual(inOrder([...committed, ...later]))
  await steady.end()
  await killed.end()
})

test('four servers sleep, and the fifth hears the same; the bell rings only while one sleeps', async () => {
  const servers = await Promise.all(Array.from({ length: 5 }, openServer))
  const [first] = servers
  let bells = 0
  const stop = await db.listen('realtime_bell', () => {
    bells += 1
  })
  await eventually(async () => expect(await locks()).toBe(4))
  for (let n = 0; n < 500; n += 1) await db.query('insert into things default values')
  for (const { heard } of servers) await eventually(() => expect(heard).toHaveLength(500))
  expect(bells).toBeGreaterThan(0)
  expect(bells).toBeLessThan(500)
  await eventually(async () => expect(await locks()).toBe(4))
  expect(first?.loads).toHaveLength(1)
  await stop()
  for (const { end } of servers) await end()
})
