// What a server writes about itself for the project's pages, and the metrics that a project adds.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { backUpToday } from '#copy/daily.ts'
import { reportServer } from '#db/servers.ts'
import { addProjectMetrics } from '#http/project-metrics.ts'
import { PROJECT } from '#project.ts'
import { eventually } from './eventually.ts'
import { testDatabase } from './harness.ts'

const db = await testDatabase()
const dataDir = await mkdtemp(join(tmpdir(), 'potluck-servers-'))
afterAll(() => rm(dataDir, { recursive: true }))
afterEach(() => void vi.useRealTimers())

const logged: string[] = []
const log = pino({ level: 'warn' }, { write: (line) => logged.push(line) })
const rows = () =>
  db.query<Record<string, string | null>>(
    'select version, free_bytes::text, backed_up_at, clock_jump_seconds::text from platform.servers',
  )

test('a server shows its version, disk and last backup while it runs, and a jump of its clock', async () => {
  const end = await reportServer({ db, dataDir, log, everyMs: 50 })
  expect(await rows()).toEqual([
    {
      version: PROJECT.version,
      free_bytes: expect.stringMatching(/^\d{7,}$/),
      backed_up_at: null,
      clock_jump_seconds: null,
    },
  ])
  await backUpToday(db, dataDir)
  await eventually(async () => expect((await rows())[0]?.backed_up_at).not.toBeNull())
  // Less than an hour is what clocks and time servers do.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_000_000 })
  const seen = () => db.query('select seen_at from platform.servers')
  const before = await seen()
  await eventually(async () => expect(await seen()).not.toEqual(before))
  expect((await rows())[0]?.clock_jump_seconds).toBeNull()
  vi.setSystemTime(Date.now() + 7_200_000)
  await eventually(async () => expect((await rows())[0]?.clock_jump_seconds).toMatch(/^(7[12]|10[12])\d\d$/))
  vi.setSystemTime(Date.now() - 7_200_000)
  await eventually(async () => expect((await rows())[0]?.clock_jump_seconds).toMatch(/^-7[12]\d\d$/))
  expect(logged.filter((line) => line.includes('jumped'))).toHaveLength(2)
  await end()
  expect(await rows()).toEqual([])
})

test('a server forgets others that have been silent for an hour, and runs without a data folder', async () => {
  await db.query(
    `insert into platform.servers values
       (gen_random_uuid(), 'silent', now(), now() - interval '61 minutes', null, null, null, null),
       (gen_random_uuid(), 'other', now(), now() - interval '59 minutes', null, null, null, null)`,
  )
  const end = await reportServer({ db, dataDir: join(dataDir, 'missing'), log })
  expect((await rows()).map(({ version, free_bytes }) => [version, free_bytes]).sort()).toEqual([
    [PROJECT.version, null],
    ['other', null],
  ])
  await end()
})

test('a project’s metrics are read anew each time, and the server’s own stay if that fails', async () => {
  const registry = new Registry()
  const refresh = addProjectMetrics(registry, db, log)
  const text = async () => {
    await refresh()
    return registry.metrics()
  }
  expect(await text()).toMatch(/^project_metrics_up 1$/m)
  await db.transaction((tx) =>
    tx.script(
      `create or replace function public.metrics()
      returns table (name text, help text, labels jsonb, value double precision) language sql as $$
        select 'guests', 'Guests by room', jsonb_build_object('room', room), count from public.rooms
      $$;`.replace('public.rooms', `(values ('hall', 2.5), ('attic', 1)) as rooms (room, count)`),
    ),
  )
  expect(await text()).toMatch(/^guests\{room="hall"\} 2.5\nguests\{room="attic"\} 1$/m)
  await db.transaction((tx) =>
    tx.script(`create or replace function public.metrics()
      returns table (name text, help text, labels jsonb, value double precision) language sql as $$
        select 'guests', 'Guests by room', '{"room":"hall"}'::jsonb, 1 / (select 0::float8)
      $$;`),
  )
  const failed = await text()
  expect(failed).toMatch(/^project_metrics_up 0$/m)
  expect(failed).not.toMatch(/^guests\{/m)
  expect(logged.at(-1)).toContain('division by zero')
})

test('a database that does not answer takes no metrics of the server away', async () => {
  const registry = new Registry()
  let asked = 0
  const refresh = addProjectMetrics(
    registry,
    {
      ...db,
      transaction: () => {
        asked += 1
        return new Promise(() => undefined)
      },
    },
    log,
  )
  await Promise.all([refresh(), refresh()])
  expect(await registry.metrics()).toMatch(/^project_metrics_up 0$/m)
  expect(asked).toBe(1)
  expect(logged.at(-1)).toContain('does not answer in time')
})
