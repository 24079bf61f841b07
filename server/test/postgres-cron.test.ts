// Two servers on one database, one of which dies.
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startScheduler } from '#cron/scheduler.ts'
import { openPostgres } from '#db/postgres.ts'
import { Turns, turnLimits } from '#db/turns.ts'
import { createMetrics } from '#http/metrics.ts'
import { eventually } from './eventually.ts'
import { testDatabase } from './harness.ts'

const log = pino({ level: 'silent' })

test('two servers run a job once for each second, and one goes on when the other dies', async () => {
  const db = await testDatabase()
  await db.transaction((tx) =>
    tx.script(`create table public.beats (at timestamptz default clock_timestamp());
      select cron.schedule('beat', '1 second', 'insert into public.beats default values');
      select cron.schedule('slow', '1 second', 'insert into public.slow values (pg_backend_pid()); select pg_sleep(1.2)');
      create table public.slow (pid integer, began timestamptz default clock_timestamp());`),
  )
  const [dying, living] = await Promise.all([0, 1].map(() => openPostgres(db.url ?? '')))
  if (!dying || !living) throw new Error('There is no second server')
  const schedulers = [
    await startScheduler({ db: dying, log, ...createMetrics(dying, new Turns(turnLimits(1))) }),
    await startScheduler({ db: living, log, ...createMetrics(living, new Turns(turnLimits(1))) }),
  ]
  const runs = async (table: string) => (await db.query(`select 1 from public.${table}`)).length
  await eventually(async () => expect(await runs('beats')).toBeGreaterThanOrEqual(2))
  // Simulates a killed process, whose connections all end at the same time.
  await db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where pid = any (select pid from pg_locks where locktype = 'advisory' and classid = 7333)`,
  )
  await dying.close()
  const before = await runs('beats')
  await eventually(async () => {
    expect(await runs('beats')).toBeGreaterThanOrEqual(before + 2)
    expect(await runs('slow')).toBeGreaterThanOrEqual(2)
  })
  await Promise.all(schedulers.map((scheduler) => scheduler.close()))

  const beats = await db.query(
    'select count(*) as runs, count(distinct date_trunc($1, at)) as seconds from public.beats',
    ['second'],
  )
  expect(beats[0]?.runs).toBe(beats[0]?.seconds)
  const overlaps = await db.query(
    `select 1 from (select began, lag(began) over (order by began) as before from public.slow) as s where began - before < interval '1.1 seconds'`,
  )
  expect(overlaps).toEqual([])
  await living.close()
})

test('the jobs of a database that was copied under another name go on', async () => {
  const db = await testDatabase()
  await db.query('update cron.job set next_run_at = statement_timestamp()')
  expect(await db.query('select jobid from platform.take_due_jobs(10)')).not.toEqual([])
})
