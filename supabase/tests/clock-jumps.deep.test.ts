// The machine's clock is wrong by a day, ahead or behind, and is then corrected, while people use the site. The
// embedded database uses the machine's clock too; a Postgres has its own, so that only the server's clock is wrong.
import { afterEach, expect, test, vi } from 'vitest'
import { eventually } from '../../server/test/eventually.ts'
import { addUser, serveTest } from '../../server/test/harness.ts'
import { setThePayingTable } from './paying.ts'

const { db, sql, till, who, seat, told, enterAndPay, toBoundary, periods, sums } = await setThePayingTable()
const DAY = 86_400_000
const realNow = Date.now
const startOf = (offset: number) =>
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: realNow() + offset })
afterEach(() => {
  vi.useRealTimers()
})
/** The clock's error: a day ahead, correct, a day behind, correct. */
const JUMPS = [DAY, 0, -DAY, 0]

test('jobs go on, whoever is signed in stays so, and hears what changes', async () => {
  // The tests below still use the database after the server has closed.
  const server = await serveTest({ ...db, close: async () => undefined }, undefined)
  await db.transaction((tx) => tx.script(`select cron.schedule('look-around', '1 second', 'select 1')`), {
    role: 'project_owner',
  })
  const ana = await addUser(server, 'ana@potluck.example')
  const heard: unknown[] = []
  await new Promise<void>((ready) =>
    ana.client
      .channel('news')
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'user_notifications' }, (change) =>
        heard.push(change.new.title),
      )
      .on('system', {}, ({ status }) => status === 'ok' && ready())
      .subscribe(),
  )
  const lastRun = async () =>
    Number(
      (
        await sql`select max(runid) as id from cron.job_run_details natural join cron.job
          where jobname = 'look-around' and status = 'succeeded'`
      )[0]?.id,
    )
  for (const [jump, offset] of JUMPS.entries()) {
    startOf(offset)
    const before = await lastRun()
    await eventually(async () => expect(await lastRun()).toBeGreaterThan(before + 1))
    await ana.client.auth.getUser()
    const { data } = await ana.client.from('user_profiles').select('user_id').eq('user_id', ana.id)
    expect(data).toEqual([{ user_id: ana.id }])
    await sql`insert into user_notifications (user_id, type, title, message) values (${ana.id}, 'info', ${`jump ${jump}`}, 'word')`
    await eventually(() => expect(heard).toContain(`jump ${jump}`))
  }
  await server.close()
})

test('nobody pays twice or for nothing, and a gap is noticed afterwards as before', async () => {
  const { marc } = who()
  await enterAndPay()
  for (const offset of JUMPS) {
    startOf(offset)
    await till.due()
    await till.work()
    expect([await seat(), await sums(), await till.books()]).toEqual([
      { status: 'active', end_reason: null },
      { paid: 5.5, earned: 0, fee: 0, back: 0 },
      [],
    ])
    expect(
      await sql`select abs(extract(epoch from now() - beat_at)) < 600 as keeps from private.clock`,
    ).toEqual([{ keeps: true }])
  }
  await till.pass(await toBoundary())
  expect([await told(marc, 'renewal-coming'), (await periods()).map(({ status }) => status)]).toEqual([
    1,
    ['closed', 'paid'],
  ])
})
