// What admins and the monitor read about queues, jobs, servers and the database.
import { CRON } from '@potluck/server/test/harness.ts'
import { describe, expect, test } from 'vitest'
import { columnOf, expectRefusal, notFound, rule, single } from '../answers.ts'
import { addPayee } from '../bank-accounts.ts'
import { addPerson, addStaff, denied, ownDatabase, type Person } from '../people.ts'
import { openTill } from '../till.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const ada = await addStaff(db, 'Ada', 'admin')
const mona = await addStaff(db, 'Mona', 'moderator')
const olivia = await addPerson(db, 'Olivia')

interface State {
  hold: { backedUpAt: string; restoredAt: string } | null
  database: { version: string; bytes: number }
  servers: Record<string, unknown>[]
  queues: { queue: string; waiting: number; oldestAt: string | null; tried: number; error: string | null }[]
  jobs: { job: string; succeededAt: string | null; endedAt: string | null; error: string | null }[]
}
async function state(by: Person = ada): Promise<State> {
  const [row] = await by.sql<{ state: State }>`select system_state() as state`
  if (!row) throw new Error('There is no state')
  return row.state
}
const measured = async (): Promise<Record<string, number>> => {
  const rows = await db.transaction(
    (tx) => tx.query<{ name: string; labels: object; value: number }>('select * from public.metrics()'),
    { role: 'service_role' },
  )
  return Object.fromEntries(
    rows.map(({ name, labels, value }) => [[name, ...Object.values(labels)].join(' '), value]),
  )
}
const ago = (time: string | null | undefined) => Math.round((Date.now() - Date.parse(time ?? '')) / 60_000)

test('only admins read it', async () => {
  for (const person of [mona, olivia]) await expectRefusal(state(person), denied('Only admins can do this'))
  expect((await state()).database).toEqual({
    version: expect.stringMatching(/^\d+/),
    bytes: expect.any(Number),
  })
})

test('an empty queue counts nothing; a waiting entry counts from its start, with its newest error', async () => {
  await sql`delete from private.outgoing_mail`
  await sql`delete from private.payment_jobs`
  expect((await state()).queues).toEqual(
    ['mails', 'payments', 'places', 'pushes', 'webhooks'].map((queue) => ({
      ...{ queue, waiting: 0, oldestAt: null, tried: 0, error: null },
    })),
  )
  await sql`insert into private.outgoing_mail (recipient, event, created_at, attempts, next_attempt_at, last_error, given_up_at, sent_at)
    values
      ('older@mail.example', 'request-approved', now() - interval '2 hours', 3, now() + interval '1 hour', 'Timed out', null, null),
      ('newer@mail.example', 'request-approved', now() - interval '1 hour', 1, now() + interval '1 hour', 'Greylisted', null, null),
      ('fresh@mail.example', 'request-approved', now(), 0, now(), null, null, null),
      ('later@mail.example', 'request-approved', now(), 0, now() + interval '10 minutes', null, null, null),
      ('gone@mail.example', 'request-approved', now(), 9, now(), 'No such user', now(), null),
      ('sent@mail.example', 'request-approved', now(), 2, now(), null, null, now())`
  await sql`insert into private.payment_jobs (kind, provider, about, created_at, last_error, attempts, next_attempt_at)
    values ('charge', 'simulated', 'x', now() - interval '30 minutes', 'No answer', 2, now() + interval '1 minute')`
  await sql`insert into private.outgoing_pushes (about, session_id, next_attempt_at)
    values (gen_random_uuid(), gen_random_uuid(), now() - interval '5 minutes')`
  await sql`with hook as (insert into private.webhooks (id, user_id, name, host, events, version, sealed)
      values (gen_random_uuid(), ${olivia.id}, 'Mine', 'hooks.example', private.webhook_types(), 1, 'sealed') returning id)
    insert into private.webhook_deliveries (webhook_id, type, payload, made_at, attempts, last_error)
    select id, 'test', '{}', now() - interval '3 minutes', 1, 'Answered 500' from hook`
  const found = (await state()).queues.map(({ oldestAt, ...queue }) => ({ ...queue, minutes: ago(oldestAt) }))
  expect(found).toEqual([
    { queue: 'mails', waiting: 3, tried: 2, error: 'Greylisted', minutes: 120 },
    { queue: 'payments', waiting: 1, tried: 1, error: 'No answer', minutes: 30 },
    { queue: 'places', waiting: 0, tried: 0, error: null, minutes: ago(null) },
    { queue: 'pushes', waiting: 1, tried: 0, error: null, minutes: 5 },
    { queue: 'webhooks', waiting: 1, tried: 1, error: 'Answered 500', minutes: 3 },
  ])
  const metrics = await measured()
  expect(metrics).toMatchObject({
    'queue_waiting mails': 3,
    'queue_tried mails': 2,
    'queue_waiting pushes': 1,
  })
  expect(Math.round((metrics['queue_oldest_seconds payments'] ?? 0) / 60)).toBe(30)
  expect(metrics.database_size_bytes).toBeGreaterThan(1e6)
})

test('a job shows its last success, and its error only until it succeeds again', async () => {
  const run = (status: string, minutes: number, message: string | null) =>
    db.query(
      `insert into ${CRON}.job_run_details (jobid, status, return_message, start_time, end_time)
       select jobid, $1, $2, now() - $3 * interval '1 minute', now() - $3 * interval '1 minute' from ${CRON}.job where jobname = 'mail'`,
      [status, message, String(minutes)],
    )
  const job = async () => {
    const found = (await state()).jobs.find((one) => one.job === 'mail')
    return [ago(found?.succeededAt), ago(found?.endedAt), found?.error]
  }
  await db.query(`update ${CRON}.job set active = jobname = 'mail'`)
  expect((await state()).jobs).toEqual([
    { job: 'mail', schedule: '* * * * *', endedAt: null, succeededAt: null, error: null },
  ])
  await run('succeeded', 9, null)
  await run('failed', 5, 'deadlock detected')
  await run('failed', 2, 'it broke')
  await db.query(
    `insert into ${CRON}.job_run_details (jobid, status, start_time) select jobid, 'running', now() from ${CRON}.job`,
  )
  expect(await job()).toEqual([9, 2, 'it broke'])
  expect(
    Date.now() / 1000 - ((await measured())['job_last_success_timestamp_seconds mail'] ?? 0),
  ).toBeCloseTo(540, -2)
  await run('succeeded', 1, null)
  expect(await job()).toEqual([1, 1, null])
})

test('the servers that have shown themselves lately are listed', async () => {
  expect((await state()).servers).toEqual([])
  await sql`insert into platform.servers values
    (gen_random_uuid(), '1.1.0', now() - interval '3 days', now(), 5000000, now() - interval '1 day', null, null),
    (gen_random_uuid(), '1.0.0', now() - interval '9 days', now() - interval '3 minutes', null, null, null, null)`
  expect(await db.query('select version, free_bytes from private.server_states()')).toHaveLength(1)
  const [server] = (await state()).servers
  expect(server).toMatchObject({ version: '1.1.0', freeBytes: 5_000_000, clockJumpedAt: null })
})

describe('after a restore of a backup', async () => {
  const site = await ownDatabase({ sheltered: true })
  const till = await openTill(site.db)
  const treasurer = await addStaff(site.db, 'Tara', 'admin')
  const owner = await addPayee(site.db, 90)
  const member = await till.payer('Mia')
  const restore = (at: string) =>
    single<string | null>(site.sql`select private.note_restore(${at}::timestamptz)`)
  const leased = async () =>
    (await single<{ kind: string }[]>(site.sql`select lease_payment_jobs('stripe', 100)`)).map(
      ({ kind }) => kind,
    )
  const hold = async () => (await state(treasurer)).hold
  const end = (by: Person, reason = 'Stripe’s list and file 1') => by.sql`select end_payment_hold(${reason})`
  const file = (id: string) => treasurer.sql`select create_payout_file(array[${id}::uuid])`

  test('a site that has moved no real money goes on', async () => {
    await till.enter(member, await till.share(owner))
    expect(await restore('2026-01-01')).toBeNull()
    expect(await hold()).toBeNull()
    await expectRefusal(end(treasurer), notFound('Payments are not on hold'))
  })

  test('nothing is charged, refunded, put into a file or approved until an admin has compared the books', async () => {
    const [withdrawal] = await owner.sql<{
      id: string
    }>`insert into withdrawal_requests (amount) values (25) returning id`
    await treasurer.sql`update withdrawal_requests set status = 'processing'`
    const [made] = await file(String(withdrawal?.id))
    expect(made).toBeDefined()
    const late = await addPayee(site.db, 60)
    await late.sql`insert into withdrawal_requests (amount) values (25)`
    const decide = (status: string) =>
      treasurer.sql`update withdrawal_requests set status = ${status}, rejection_reason = case ${status}::text when 'rejected' then 'Paid after the backup' end
        where user_id = ${late.id}`
    expect(await restore('2026-02-03 04:05+00')).toContain('Payments are on hold')
    // A second restore before that keeps the earlier gap.
    await restore('2026-03-01')
    expect(await hold()).toEqual({
      backedUpAt: expect.stringMatching(/^2026-02-03T04:05/),
      restoredAt: expect.any(String),
      isComparing: false,
      missing: [],
    })
    await site.sql`delete from private.payment_jobs`
    for (const kind of ['refund', 'transfer', 'reversal', 'reconcile', 'remove-card'])
      await site.sql`insert into private.payment_jobs (kind, provider, about) values (${kind}, 'stripe', ${kind === 'reconcile' ? '2026-02-04' : crypto.randomUUID()})`
    await site.sql`insert into private.payment_jobs (kind, provider, about) select 'charge', 'stripe', id from public.member_payments limit 1`
    expect((await leased()).filter((kind) => !['reconcile', 'remove-card'].includes(kind))).toEqual([])
    await expectRefusal(
      file(String(withdrawal?.id)),
      rule('Payments are on hold until the books are compared'),
    )
    await expectRefusal(decide('processing'), rule('Payments are on hold until the books are compared'))
    await decide('rejected')
    await expectRefusal(end(member), denied('Only admins can do this'))
    await expectRefusal(end(treasurer, ' '), rule('Please write a sentence'))
    const kinds = site.sql<{ kind: string }>`select kind from private.payment_jobs order by 1`
    expect(await columnOf(kinds)).toEqual(
      expect.arrayContaining(['charge', 'refund', 'reversal', 'transfer']),
    )
    // If nobody acts, all treasurers are told why nothing is paid.
    await site.sql`update private.payment_jobs set next_attempt_at = now() - interval '2 hours'`
    await site.sql`select private.tell_of_failing_jobs()`
    const [notice] = await columnOf(
      treasurer.sql`select message from user_notifications order by created_at desc limit 1`,
    )
    expect(notice).toContain('payments are on hold after a restore')
    await end(treasurer)
    expect(await hold()).toBeNull()
    expect(await columnOf(site.sql`select action from private.staff_log order by line desc limit 1`)).toEqual(
      ['payments resumed after a restore'],
    )
    await expectRefusal(end(treasurer), notFound('Payments are not on hold'))
  })
})
