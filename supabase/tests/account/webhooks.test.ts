// Webhooks in SQL: queued deliveries and their recipients, the order in which they are leased, the outcome of each
// attempt, and people's rights. Signing and sending: edge-functions/webhooks.test.ts.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { events } from '../../functions/_shared/words/events.ts'
import { columnOf, single } from '../answers.ts'
import { addPerson, notFound, ownDatabase, type Person, refusalOf, rule } from '../people.ts'
import { approve, ask, openChat, setTheTable } from '../plans.ts'
import { addWebhook } from '../webhooks.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
beforeEach(() => sql`delete from private.webhooks`)

const payloads = async (webhook: string, type: string) =>
  columnOf<{ data: Record<string, unknown> }>(
    sql`select payload from private.webhook_deliveries where webhook_id = ${webhook} and type = ${type} order by made_at`,
  )
const ASKED = '{"member": "Zoe", "plan": "Netflix Premium"}'
const take = (limit = 40) =>
  sql<{
    id: string
    attempt: number
    webhook_id: string
    owner_id: string
  }>`select * from private.lease_due_deliveries(${limit})`
const settle = (id: string, attempt: number, status: number | null, wait: number | null = null) =>
  sql`select private.settle_delivery(${id}, ${attempt}, ${status}, ${status === 200 ? null : 'No'}, 'Answer', 12, ${wait})`
const state = async (id: string) =>
  (
    await sql`select attempts, last_status as status, delivered_at is not null as arrived, failed_at is not null as failed,
      round(extract(epoch from next_attempt_at - clock_timestamp()))::integer as wait from private.webhook_deliveries where id = ${id}`
  )[0]
const pass = () => sql`update private.webhook_deliveries set next_attempt_at = clock_timestamp()`
const sendTest = (person: Person, webhook: string) => single(person.sql`select test_webhook(${webhook})`)

test('every event has a type that people choose, or none', async () => {
  const rows = await sql<{
    type: string
    names: string[]
  }>`select coalesce(private.webhook_type(e, p), 'none') as type, to_json(array_agg(e order by e)) as names
    from json_array_elements_text(${JSON.stringify(Object.keys(events))}::json) as e
    cross join (values ('{"late": false}'::jsonb), ('{"late": true}')) as late (p) group by 1`
  const names = Object.fromEntries(rows.map(({ type, names: all }) => [type, [...new Set(all)].join(' ')]))
  const { none, ...chosen } = names
  expect(chosen).toEqual({
    request: 'request-made',
    message: 'chat-message',
    approval: 'let-in member-let-in request-approved',
    'payment.due': 'payment-debit-coming payment-due renewal-coming',
    'payment.claimed': 'member-says-paid payment-back-claimed',
    'payment.disputed': 'payment-decided payment-disagreement',
    'payment.paid': 'member-paid owed-settled payment-made payment-received payment-unanswered',
    'payment.late':
      'owner-owes-you payment-back-denied payment-debt-unkept payment-due payment-failed payment-left-unpaid payment-member-left-unpaid payment-needs-action payment-not-received payment-nudge payment-unconfirmed you-owe-member',
    problem: 'problem-closed problem-fixed problem-not-fixed problem-reported problem-with-staff',
  })
  expect(Object.keys(chosen).sort()).toEqual(
    (await columnOf(sql`select unnest(private.webhook_types())`)).sort(),
  )
  expect(none).toContain('problem-to-decide')
})

test('what happens is queued in its own transaction for those who want it, with ids, and without what people wrote', async () => {
  const { olivia, marc, zoe, plan } = await setTheTable(db)
  const [hers, his, other] = [
    await addWebhook(db, olivia),
    await addWebhook(db, marc),
    await addWebhook(db, olivia, ['problem']),
  ]
  const request = await ask(db, zoe, plan, 'Let me in, please')
  const about = { plan_id: plan.id, plan: 'Netflix Premium' }
  const [asked] = await payloads(hers, 'request')
  expect(asked).toEqual({
    ...{ type: 'request', timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) },
    data: {
      event: 'request-made',
      notification_id: expect.any(String),
      request_id: request,
      person: 'Zoe',
      ...about,
    },
  })
  const zoes = await addWebhook(db, zoe)
  await approve(db, plan, request)
  expect(await payloads(zoes, 'approval')).toMatchObject([
    { data: { event: 'request-approved', person: 'Olivia', ...about } },
  ])
  const chat = await openChat(db, plan, marc)
  await marc.insert('messages', { conversation_id: chat, content: 'The code is sesame' })
  const [message] = await payloads(hers, 'message')
  expect(message?.data).toEqual({
    event: 'chat-message',
    message_id: expect.any(String),
    conversation_id: chat,
    person: 'Marc',
    ...about,
  })
  const payment = await single(sql`select id from member_payments where member_id = ${marc.id}`)
  await marc.sql`select say_paid(${payment})`
  const money = {
    payment_id: payment,
    seat_id: expect.any(String),
    amount: '5.00',
    currency: 'EUR',
    ...about,
  }
  expect(await payloads(hers, 'payment.claimed')).toMatchObject([{ data: { person: 'Marc', ...money } }])
  await olivia.sql`select confirm_payment(${payment})`
  expect(await payloads(his, 'payment.paid')).toMatchObject([
    { data: { event: 'payment-received', person: 'Olivia', ...money } },
  ])
  await sql`update auth.users set banned_until = now() + interval '1 day' where id = ${marc.id}`
  await expect(
    db.transaction(async (tx) => {
      await tx.query(`select private.notify($1, 'info', null, 'request-made', $2)`, [olivia.id, ASKED])
      throw new Error('It did not happen')
    }),
  ).rejects.toThrow('It did not happen')
  await sql`select private.notify(${marc.id}, 'info', null, 'request-made', ${ASKED})`
  expect(
    await sql`select webhook_id, count(*)::integer from private.webhook_deliveries where webhook_id in (${other}, ${his}) group by 1`,
  ).toEqual([{ webhook_id: his, count: 1 }])
  expect(JSON.stringify(await sql`select * from private.webhook_deliveries`)).not.toMatch(/please|sesame/)
})

test('people take turns, each webhook has few at once, and nobody gets one that another has', async () => {
  const [busy, calm] = [await addPerson(db, 'Busy'), await addPerson(db, 'Calm')]
  const many = [await addWebhook(db, busy), await addWebhook(db, busy), await addWebhook(db, busy)]
  const few = await addWebhook(db, calm)
  await sql`insert into private.webhook_deliveries (webhook_id, type, payload, next_attempt_at)
    select id::uuid, 'test', '{}', now() - interval '1 hour' from unnest(${`{${many}}`}::text[]) as id, generate_series(1, 200)`
  await sendTest(calm, few)
  const first = await take(2)
  expect(first.map(({ owner_id }) => owner_id).sort()).toEqual([busy.id, calm.id].sort())
  const rest = await take()
  expect(rest.map(({ owner_id }) => owner_id)).toEqual(Array(5).fill(busy.id))
  const perWebhook = [...first, ...rest].filter(({ webhook_id }) => webhook_id === many[0]).length
  expect(perWebhook).toBeLessThanOrEqual(3)
  expect(await take()).toEqual([])
  const [one] = rest
  await settle(one?.id ?? '', 1, 200)
  expect(await take()).toHaveLength(1)
  // A worker that leases a delivery and never reports back loses it after a minute.
  await sql`delete from private.webhook_deliveries where taken_at is null`
  await sql`update private.webhook_deliveries set next_attempt_at = now() - interval '1 second' where taken_at is not null`
  expect((await take()).filter(({ attempt }) => attempt === 2)).toHaveLength(7)
})

test('a failure is tried again over a day, as late as the receiver asks within an hour, and an attempt that is over changes nothing', async () => {
  const olivia = await addPerson(db, 'Olivia')
  const webhook = await addWebhook(db, olivia)
  const id = await sendTest(olivia, webhook)
  const waits: unknown[] = []
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    await pass()
    expect(await take()).toMatchObject([{ id, attempt }])
    await settle(id, attempt - 1, 500)
    await settle(id, attempt, attempt % 2 ? 503 : null, attempt === 1 ? 9999 : attempt === 3 ? 2000 : 1)
    const { wait, ...rest } = (await state(id)) ?? {}
    waits.push(wait)
    expect(rest).toEqual({
      attempts: attempt,
      status: attempt % 2 ? 503 : null,
      arrived: false,
      failed: attempt === 8,
    })
  }
  const hour = 3600
  const expected = [5 + hour, 300, 2000, 2 * hour, 5 * hour, 8 * hour, 9 * hour, 0]
  expect(waits).toEqual(expected.map((seconds) => expect.closeTo(seconds, -1)))
  expect(await take()).toEqual([])
  await olivia.sql`select resend_webhook_delivery(${id})`
  expect(await refusalOf(olivia.sql`select resend_webhook_delivery(${id})`)).toEqual(
    rule('This is still being sent'),
  )
  expect(await take()).toMatchObject([{ id, attempt: 9 }])
  await settle(id, 9, 503)
  expect(await state(id)).toMatchObject({ failed: false, wait: 5 })
  // If attempt 9 is answered with success only after attempt 10 has begun, the delivery has arrived, and a failure of
  // attempt 10 does not change that.
  await pass()
  await take()
  await settle(id, 9, 200)
  expect(await state(id)).toMatchObject({ attempts: 10, arrived: true })
  await settle(id, 10, 500)
  expect(await state(id)).toMatchObject({ status: 200, arrived: true, failed: false })
})

test.each([
  ['says that it is gone', 410, '0', 'gone', '“Home” said that it’s gone, so nothing more is sent there.'],
  [
    'has only failed for a day',
    500,
    '25 hours',
    'failing',
    '“Home” hasn’t taken anything for a day, so nothing more is sent there.',
  ],
])(
  'a webhook that %s stops, its person is told, and can turn it on again',
  async (_how, status, since, why, message) => {
    const olivia = await addPerson(db, 'Olivia')
    const webhook = await addWebhook(db, olivia)
    const [failing, waiting] = [await sendTest(olivia, webhook), await sendTest(olivia, webhook)]
    await take(1)
    await settle(failing, 1, 500)
    await sql`update private.webhooks set failing_since = failing_since - ${since}::interval`
    await sql`update private.webhook_deliveries set next_attempt_at = clock_timestamp() where id = ${failing}`
    await take()
    await settle(failing, 2, status)
    expect([await state(failing), await state(waiting)]).toMatchObject([{ failed: true }, { failed: true }])
    expect(await olivia.sql`select stopped_why, has_failed from my_webhooks()`).toEqual([
      { stopped_why: why, has_failed: true },
    ])
    expect(await columnOf(olivia.sql`select message from user_notifications`)).toEqual([message])
    expect(
      await columnOf(
        sql`select path from private.outgoing_mail where recipient = ${olivia.email} and event = 'webhook-stopped'`,
      ),
    ).toEqual(['/account-settings/programs'])
    const stopped = rule('This webhook has stopped. Turn it on first.')
    expect(await refusalOf(sendTest(olivia, webhook))).toEqual(stopped)
    expect(await refusalOf(olivia.sql`select resend_webhook_delivery(${waiting})`)).toEqual(stopped)
    await sql`select private.notify(${olivia.id}, 'info', null, 'request-made', ${ASKED})`
    expect(await take()).toEqual([])
    const again = await single(olivia.sql`select resume_webhook(${webhook})`)
    expect(await take()).toMatchObject([{ id: again }])
    await settle(again, 1, 200)
    expect(await olivia.sql`select stopped_at, has_failed from my_webhooks()`).toEqual([
      { stopped_at: null, has_failed: false },
    ])
  },
)

test('people have ten at most, see only their own, and nothing is kept for longer than 30 days', async () => {
  const [olivia, marc] = [await addPerson(db, 'Olivia'), await addPerson(db, 'Marc')]
  const made = await Promise.all(Array.from({ length: 10 }, () => addWebhook(db, olivia)))
  expect(await refusalOf(addWebhook(db, olivia))).toEqual(rule('You have 10 webhooks. Remove one first.'))
  const [webhook = ''] = made
  expect(await columnOf(olivia.sql`select has_failed from my_webhooks()`)).toEqual(Array(10).fill(false))
  const delivery = await sendTest(olivia, webhook)
  for (const one of [webhook, randomUUID()]) {
    const not = notFound('Webhook not found')
    for (const name of ['end_webhook', 'test_webhook', 'resume_webhook', 'prepare_webhook'])
      expect(await refusalOf(marc.run(`select ${name}($1)`, [one])), name).toEqual(not)
    expect(await refusalOf(marc.sql`select resend_webhook_delivery(${delivery})`)).toEqual(not)
    expect(await marc.sql`select from my_webhook_deliveries(${one})`).toEqual([])
  }
  expect(
    await refusalOf(sql`select private.save_webhook(${olivia.id}, ${webhook}, 3, 'v1.next', null)`),
  ).toMatchObject({ code: 'PT409' })
  expect(
    await olivia.sql`select id, type, payload -> 'data' ->> 'webhook' as name from my_webhook_deliveries(${webhook})`,
  ).toEqual([{ id: delivery, type: 'test', name: 'Home' }])
  await sql`update private.webhook_deliveries set made_at = now() - interval '31 days'`
  await sendTest(olivia, webhook)
  await sql`select private.run_housekeeping()`
  expect(await olivia.sql`select from my_webhook_deliveries(${webhook})`).toHaveLength(1)
  await olivia.sql`select end_webhook(${webhook})`
  expect(await take()).toEqual([])
})
