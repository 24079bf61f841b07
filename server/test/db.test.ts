import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, inject, test } from 'vitest'
import { asCaller } from '#db/as-caller.ts'
import { DatabaseError } from '#db/database.ts'
import { migrate, readMigrations, readRepeatable } from '#db/migrate.ts'
import { openQueue } from '#db/queue.ts'
import { eventually } from './eventually.ts'
import { emptyDatabase, testDatabase } from './harness.ts'

const db = await testDatabase()
beforeAll(async () => {
  await db.query('create table public.notes (id int primary key, body text)')
})

const count = async () => (await db.query('select count(*) as n from public.notes'))[0]?.n

test('values travel as text and come back as booleans, numbers, json and text', async () => {
  const [row] = await db.query(
    `select $1::int as i, $2::boolean as b, $3::jsonb as j, $4::numeric(12,2) as money, $5::uuid as id,
       $6::date as day, $7::text as nothing, array['a', 'b'] as list, $8::int[] as numbers`,
    ['7', 'true', '{"a":[1]}', '15.9', '6a1f7a5e-7a0e-4b8e-9d5e-1c9c7e6b0f11', '2026-11-20', null, '{1,2}'],
  )
  expect(row).toEqual({
    ...{ i: 7, b: true, j: { a: [1] }, money: '15.90', id: '6a1f7a5e-7a0e-4b8e-9d5e-1c9c7e6b0f11' },
    ...{ day: '2026-11-20', nothing: null, list: '{a,b}', numbers: '{1,2}' },
  })
})

test('a batch commits as one, and its first refusal leaves nothing', async () => {
  const insert = (id: string) => ({ text: 'insert into public.notes values ($1, $2)', values: [id, 'x'] })
  await db.batch([insert('1'), insert('2')])
  expect(await count()).toBe(2)
  await expect(db.batch([insert('3'), insert('1'), insert('4')])).rejects.toMatchObject({ code: '23505' })
  expect(await count()).toBe(2)
  expect((await db.batch([{ text: 'select 1 as one' }, { text: 'select 2 as two' }]))[1]).toEqual([
    { two: 2 },
  ])
})

test('a batch is rolled back by what is thrown before its commit', async () => {
  const late = new Error('not like this')
  const work = db.batch([{ text: "insert into public.notes values (9, 'x') returning id" }], {
    beforeCommit: ([rows]) => {
      expect(rows).toEqual([{ id: 9 }])
      throw late
    },
  })
  await expect(work).rejects.toBe(late)
  expect(await db.query('select 1 from public.notes where id = 9')).toEqual([])
})

test('a request that only reads cannot write, nor change that', async () => {
  const read = (text: string) =>
    asCaller(db, { role: 'service_role', claims: '{}' }, [{ text }], { readOnly: true })
  await expect(read("insert into public.notes values (10, 'x')")).rejects.toMatchObject({ code: '25006' })
  const off = "select set_config('transaction_read_only', 'off', true)"
  await expect(read(off)).rejects.toMatchObject({ code: '25001' })
})

test('a refusal keeps code, message, detail and hint, and the constraint if one is broken', async () => {
  const raise = `do $$ begin raise exception 'No room' using errcode = 'PT429', detail = 'full', hint = 'wait'; end $$`
  const refusal = await db.query(raise).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(DatabaseError)
  expect(refusal).toMatchObject({
    code: 'PT429',
    message: 'No room',
    detail: 'full',
    hint: 'wait',
    constraint: null,
  })
  await db.query('create table public.few (n int constraint at_most_one check (n < 2))')
  await expect(db.query('insert into public.few values (2)')).rejects.toMatchObject({
    code: '23514',
    constraint: 'at_most_one',
  })
})

test('a transaction that throws, or fails, leaves nothing, and the next one works', async () => {
  const before = await count()
  const insertThen = (next: (query: typeof db.query) => unknown) =>
    db.transaction(async (tx) => {
      await tx.query("insert into public.notes values (20, 'x')")
      await next(tx.query)
    })
  await expect(insertThen(() => Promise.reject(new Error('changed my mind')))).rejects.toThrow(
    'changed my mind',
  )
  await expect(insertThen((query) => query('select 1/0'))).rejects.toMatchObject({ code: '22012' })
  expect(await count()).toBe(before)
  expect(await db.transaction((tx) => tx.query('select 1 as one'))).toEqual([{ one: 1 }])
})

test('a statement prepared before a table changed works on the second try at the latest', async () => {
  await db.query('create table public.shifting (a int)')
  await db.query('select * from public.shifting')
  await db.query('alter table public.shifting add column b text')
  const again = await db
    .query('select * from public.shifting')
    .catch(() => db.query('select * from public.shifting'))
  expect(again).toEqual([])
})

test('work side by side never mixes transactions', async () => {
  await db.query('create table public.tally (n int)')
  await db.query('insert into public.tally values (0)')
  const add = () =>
    db.transaction(async (tx) => {
      const [row] = await tx.query('select n from public.tally for update')
      await tx.query('update public.tally set n = $1', [String(Number(row?.n) + 1)])
    })
  await Promise.all(Array.from({ length: 40 }, add))
  expect(await db.query('select n from public.tally')).toEqual([{ n: 40 }])
})

test('repeatable scripts run at every start, in order and as the owner of the project', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'potluck-repeatable-'))
  const note = 'create table if not exists public.starts (at serial, by name default current_user)'
  await writeFile(join(folder, '2-count.sql'), 'insert into public.starts default values')
  await writeFile(join(folder, '1-make.sql'), note)
  for (const _start of [1, 2])
    await migrate(db, { platform: [], migrations: [], repeatable: await readRepeatable(folder) })
  expect(await db.query('select at, by from public.starts order by at')).toEqual([
    { at: 1, by: 'project_owner' },
    { at: 2, by: 'project_owner' },
  ])
  await rm(folder, { recursive: true })
  expect(await readRepeatable(folder)).toEqual([])
})

test.each(['commit', 'rollback'])('a migration with a %s of its own gains no rights by it', async (end) => {
  const made = (name: string) =>
    `create function public.${end}_${name}() returns int language sql as 'select 1';`
  const migration = {
    version: end === 'commit' ? '901' : '902',
    name: end,
    sql: `begin; ${made('first')} ${end}; ${made('second')} begin; ${made('third')} commit;`,
  }
  for (const _start of [1, 2]) await migrate(db, { platform: [], migrations: [migration] })
  const owned = await db.query(
    `select proname as name, proowner::regrole::text as owner from pg_proc where proname like $1 order by 1`,
    [`${end}\\_%`],
  )
  const names = end === 'commit' ? ['first', 'second', 'third'] : ['second', 'third']
  expect(owned).toEqual(names.map((name) => ({ name: `${end}_${name}`, owner: 'project_owner' })))
  const [server] = await db.query('select current_user = session_user as itself')
  expect(server).toEqual({ itself: true })
})

test('a notification reaches who listens, also from inside a batch, and nobody who has stopped', async () => {
  const heard: string[] = []
  const others: string[] = []
  const stop = await db.listen('bell', (payload) => heard.push(payload))
  const stopOthers = await db.listen('bell', (payload) => others.push(payload))
  await db.query("select pg_notify('bell', 'one')")
  await db.batch([{ text: "select pg_notify('bell', 'two')" }])
  await eventually(() => expect(heard).toEqual(['one', 'two']))
  await stop()
  await db.query("select pg_notify('bell', 'three')")
  await eventually(() => expect(others).toEqual(['one', 'two', 'three']))
  expect(heard).toEqual(['one', 'two'])
  await stopOthers()
})

test('more statement shapes than are remembered still work', async () => {
  for (let shape = 0; shape < 620; shape += 1) {
    expect(await db.query(`select ${shape} as shape`)).toEqual([{ shape }])
  }
})

// This test needs Postgres, because the embedded database's only connection cannot be terminated.
if (inject('clusterUrl'))
  test('connections the database ends are replaced, and nothing of their batch stays', async () => {
    const before = await count()
    const cut = db.batch([
      { text: "insert into public.notes values (500, 'cut off')" },
      { text: 'select pg_terminate_backend(pg_backend_pid())' },
    ])
    await expect(cut).rejects.toThrow()
    const after = await Promise.allSettled(
      Array.from({ length: 30 }, () => db.batch([{ text: 'select 1 as one' }])),
    )
    expect(after.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(29)
    expect(await db.batch([{ text: 'select 1 as one' }])).toEqual([[{ one: 1 }]])
    expect(await count()).toBe(before)
  })

if (inject('clusterUrl'))
  test('databases of one Postgres, which share their roles, may be set up at the same time', async () => {
    const platform = await readMigrations(join(import.meta.dirname, '../src/platform'))
    const databases = await Promise.all(Array.from({ length: 4 }, emptyDatabase))
    const setUp = Array.from({ length: 5 }, () =>
      databases.map((db) => migrate(db, { platform, migrations: [] })),
    )
    await expect(Promise.all(setUp.flat())).resolves.toHaveLength(20)
  })

test('work that is announced at any moment in which a run ends is not left waiting', async () => {
  for (let turns = 0; turns < 8; turns += 1) {
    let runs = 0
    const announceLater = async () => {
      for (let turn = 0; turn < turns; turn += 1) await undefined
      await queue.flush()
    }
    const work = async () => {
      runs += 1
      if (runs === 1) void announceLater()
      return false
    }
    const onError = (error: unknown) => {
      throw error
    }
    const queue = openQueue(db, { channel: 'announced', work, onError })
    await queue.flush()
    await pause(1)
    expect([turns, runs]).toEqual([turns, 2])
  }
})
