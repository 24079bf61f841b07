import { pino } from 'pino'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startScheduler } from '#cron/scheduler.ts'
import { OWNER_ROLE } from '#db/migrate.ts'
import { Turns, turnLimits } from '#db/turns.ts'
import { createMetrics } from '#http/metrics.ts'
import { cases } from './cases.ts'
import { eventually } from './eventually.ts'
import { testDatabase } from './harness.ts'

const log = pino({ level: 'silent' })

describe('schedules', async () => {
  const db = await testDatabase()
  const next = async (schedule: string, after: string, due: string | null = null) => {
    const [row] = await db.query<{ at: string | null }>(
      `select cron.next_run($1, $2::timestamptz, $3::timestamptz)::timestamp(0)::text as at`,
      [schedule, after, due],
    )
    return row?.at
  }

  const runs = cases(`
    * * * * * | 2026-03-01 10:00:00 | 2026-03-01 10:01:00
    */15 * * * * | 2026-03-01 10:46:10 | 2026-03-01 11:00:00
    5,10-20/5 3 * * * | 2026-03-01 03:10:00 | 2026-03-01 03:15:00
    59 23 31 12 * | 2026-03-01 03:10:00 | 2026-12-31 23:59:00
    0 9 * * mon-fri | 2026-03-07 00:00:00 | 2026-03-09 09:00:00
    0 0 * * 7 | 2026-03-02 00:00:00 | 2026-03-08 00:00:00
    0 0 * * SUN | 2026-03-02 00:00:00 | 2026-03-08 00:00:00
    0 0 13 * fri | 2026-03-02 00:00:00 | 2026-03-06 00:00:00 | day and weekday: either
    0 0 */2 * fri | 2026-03-02 00:00:00 | 2026-03-13 00:00:00 | with a star, both
    0 0 $ * * | 2028-02-01 00:00:00 | 2028-02-29 00:00:00
    30 4 29 feb * | 2097-01-01 00:00:00 | 2104-02-29 04:30:00
    0 0 31 2 * | 2026-03-01 00:00:00 | infinity
    @monthly | 2026-12-15 00:00:00 | 2027-01-01 00:00:00
    @yearly | 2026-12-15 00:00:00 | 2027-01-01 00:00:00
    10 seconds | 2026-03-01 10:00:00.7 | 2026-03-01 10:00:10
    1  Second | 2026-03-01 10:00:00 | 2026-03-01 10:00:01
    59 seconds | 2026-03-01 10:00:00 | 2026-03-01 10:00:59`)
  test.each(runs)('%s after %s', async (schedule = '', after = '', at) => {
    expect(await next(` ${schedule} `, after)).toBe(at)
  })

  test('a beat of seconds keeps its beat, and skips what it is too late for', async () => {
    const after = (now: string) => next('10 seconds', `2026-03-01 ${now}`, '2026-03-01 10:00:10')
    expect(await after('10:00:12.4')).toBe('2026-03-01 10:00:20')
    expect(await after('10:01:02.4')).toBe('2026-03-01 10:01:10')
  })

  const WRONG = `|soon|* * * *|* * * * * *|60 * * * *|* 24 * * *|* * 0 * *|* * 32 * *|* * * 0 *|* * * 13 *|* * * * 8|5/2 * * * *|
    */0 * * * *|5-1 * * * *|-1 * * * *|* * * foo *|$ * * * *|1,,2 * * * *|99999999999 * * * *|0 seconds|60 seconds|5 minutes|
    1.5 seconds|@reboot|; drop table x`
  test.each(WRONG.split(/\|\s*/))('refuses "%s" and says what a schedule is', async (schedule) => {
    await expect(db.query('select cron.schedule($1, $2)', [schedule, 'select 1'])).rejects.toMatchObject({
      code: '22023',
      message: `invalid schedule: ${schedule}`,
      hint: expect.stringContaining(
        "minute hour day month weekday, e.g. 5 4 * * *), interval format '[1-59] seconds'",
      ),
    })
  })
})

describe('jobs', async () => {
  const db = await testDatabase()
  const asOwner = (text: string, values: string[] = []) =>
    db.transaction((tx) => tx.query(text, values), { role: OWNER_ROLE })
  const details = (name: string) =>
    db.query(
      `select d.status, d.return_message, d.end_time >= d.start_time as ended
       from cron.job_run_details d join cron.job j using (jobid) where jobname = $1 order by runid`,
      [name],
    )
  const schedule = (name: string, schedule: string, command: string) =>
    asOwner('select cron.schedule($1, $2, $3) as id', [name, schedule, command])
  const runsOf = (job: string) => `insert into public.runs values ('${job}')`
  const whileRunning = async <T>(work: () => Promise<T>): Promise<T> => {
    const scheduler = await startScheduler({ db, log, ...createMetrics(db, new Turns(turnLimits(1))) })
    try {
      return await work()
    } finally {
      await scheduler.close()
    }
  }
  beforeAll(() =>
    db.transaction((tx) =>
      tx.script(
        'create table public.runs (job text, at timestamptz default clock_timestamp()); grant all on public.runs to project_owner',
      ),
    ),
  )
  beforeEach(() => db.query('delete from cron.job'))

  test('a name is one job, changed by scheduling it again, and as active as it was', async () => {
    const [first] = await schedule('nightly', '0 3 * * *', 'select 1')
    await asOwner('select cron.alter_job($1, active := false)', [String(first?.id)])
    expect(await schedule('nightly', '0 4 * * *', 'select 2')).toEqual([first])
    expect(await db.query('select jobname, schedule, command, active, username from cron.job')).toEqual([
      { jobname: 'nightly', schedule: '0 4 * * *', command: 'select 2', active: false, username: OWNER_ROLE },
    ])
    await asOwner(`select cron.unschedule('nightly')`)
    await expect(asOwner(`select cron.unschedule('nightly')`)).rejects.toThrow(
      `could not find valid entry for job 'nightly'`,
    )
    await expect(asOwner(`select cron.unschedule(${first?.id})`)).rejects.toThrow(
      'could not find valid entry',
    )
  })

  test("nobody makes a job run as somebody else, or changes somebody else's", async () => {
    await db.query(`select cron.schedule('ours', '@daily', 'select 1')`)
    const forged = `insert into cron.job (schedule, command, username) values ('@daily', 'select 1', session_user)`
    for (const [role, sql] of [
      [OWNER_ROLE, forged],
      [OWNER_ROLE, `update cron.job set command = 'select 2'`],
      ...['anon', 'authenticated', 'service_role'].map((role) => [
        role,
        `select cron.schedule('@daily', 'select 1')`,
      ]),
    ] as [string, string][]) {
      const attempt = db.transaction((tx) => tx.query(sql), { role })
      await expect(attempt, `${role}: ${sql}`).rejects.toMatchObject({ code: '42501' })
    }
    await expect(asOwner(`select cron.unschedule('ours')`)).rejects.toThrow('could not find')
  })

  test('what is due runs as its role, in a transaction of its own, and what fails is recorded', async () => {
    await schedule('good', '1 second', 'insert into public.runs values (current_user)')
    await schedule('bad', '1 second', `${runsOf('half')}; select 1 / 0`)
    await whileRunning(() => eventually(async () => expect((await details('bad')).length).toBeGreaterThan(1)))
    expect(await db.query('select distinct job from public.runs')).toEqual([{ job: OWNER_ROLE }])
    expect(await details('good')).toContainEqual({ status: 'succeeded', return_message: null, ended: true })
    for (const run of await details('bad'))
      expect(run).toEqual({ status: 'failed', return_message: 'division by zero', ended: true })
  })

  test('however late, it runs once, and a run that was cut short says so', async () => {
    await schedule('late', '* * * * *', runsOf('late'))
    await db.query(`update cron.job set next_run_at = now() - interval '3 hours'`)
    await db.query(`insert into cron.job_run_details (jobid, status, start_time)
      select jobid, 'running', now() - interval '3 hours' from cron.job`)
    await whileRunning(() => eventually(async () => expect(await details('late')).toHaveLength(2)))
    expect(await db.query(`select * from public.runs where job = 'late'`)).toHaveLength(1)
    expect(await details('late')).toEqual([
      { status: 'failed', return_message: 'server restarted', ended: true },
      { status: 'succeeded', return_message: null, ended: true },
    ])
    expect(await db.query('select next_run_at > now() as ahead from cron.job')).toEqual([{ ahead: true }])
  })

  test('an inactive job does not run, and with the server what runs has ended', async () => {
    const [idle] = await schedule('idle', '1 second', runsOf('idle'))
    await asOwner('select cron.alter_job($1, active := false)', [String(idle?.id)])
    await schedule('beat', '1 second', runsOf('beat'))
    await whileRunning(() =>
      eventually(async () => expect((await details('beat')).length).toBeGreaterThan(1)),
    )
    expect(await details('idle')).toEqual([])
    expect((await details('beat')).filter(({ status }) => status !== 'succeeded')).toEqual([])
  })
})
