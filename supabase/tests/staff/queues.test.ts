// The cases that wait for staff: each kind for the roles that decide it, with the oldest.
import { beforeAll, expect, test } from 'vitest'
import { columnOf, expectRefusal } from '../answers.ts'
import { addPayee } from '../bank-accounts.ts'
import { report } from '../cases.ts'
import { asSent, waitingMails } from '../mail-words.ts'
import { addPeople, addStaff, denied, notFound, ownDatabase, type Person } from '../people.ts'
import { sharePlan } from '../plans.ts'
import { openTill } from '../till.ts'

const { db, sql } = await ownDatabase({ sheltered: true })
const till = await openTill(db)
const sofia = await addStaff(db, 'Sofia', 'super-admin')
const ada = await addStaff(db, 'Ada', 'admin')
const anton = await addStaff(db, 'Anton', 'admin')
const mona = await addStaff(db, 'Mona', 'moderator')
const olivia = await addPayee(db, 90)
const mia = await till.payer('Mia')

const PLANS = '[{"plan_name":"Solo","price":9,"billing_cycle":"monthly","max_members":2}]'
const askForRole = (by: Person) =>
  by.sql`insert into admin_role_requests (name, email, reason) values ('Anyone', ${by.email}, 'I would like to help out.')`
const waiting = async (by: Person) =>
  Object.fromEntries(
    (await by.sql<{ kind: string; waiting: number }>`select kind, waiting::int from list_staff_queues()`).map(
      (queue) => [queue.kind, queue.waiting],
    ),
  )

beforeAll(async () => {
  const plan = await till.share(olivia)
  await till.enter(mia, plan)
  await till.work()
  await mia.sql`select report_problem(id, 'password') from my_seats()`
  await olivia.sql`select contest_problem(id) from seat_problems`
  await report(mia, 'person', olivia.id)
  await report(mia, 'person', mona.id)
  await mia.sql`select write_to_support('Where is my receipt?')`
  await sharePlan(db, mia)
  await sql`update shared_subscriptions set status = 'pending' where id <> ${plan.id}`
  await olivia.sql`insert into withdrawal_requests (amount) values (25)`
  await mia.sql`insert into provider_requests (provider_name, category, website_url, description, plans_data)
    values ('Mubi', 'Streaming', 'https://mubi.com', 'Hand-picked films.', ${PLANS})`
  await askForRole(mia)
  await askForRole(sofia)
  await sql`select private.record_unknown_event('evt_1', 'charge.updated', 'ch_1')`
  await sql`delete from private.outgoing_mail`
  for (const at of ['2026-01-02', '2026-01-01'])
    await sql`insert into private.outgoing_mail (recipient, event, given_up_at, last_error)
      values ('gone@mail.example', 'request-approved', ${at}, '550 No such user')`
})

const MODERATED = { cases: 3, plans: 1 }
const ADMINISTERED = {
  ...MODERATED,
  withdrawals: 1,
  problems: 1,
  disputes: 1,
  mails: 2,
  'provider-requests': 1,
}

test('each role sees the kinds that it decides, without cases of their own', async () => {
  expect(await waiting(mona)).toEqual({ ...MODERATED, cases: 2 })
  expect(await waiting(ada)).toEqual(ADMINISTERED)
  expect(await waiting(sofia)).toEqual({ ...ADMINISTERED, 'role-requests': 1 })
  expect(await waiting(mia)).toEqual({})
})

test('the oldest of a kind counts from when it was asked', async () => {
  await sql`update cases set opened_at = '2026-01-03' where kind = 'question'`
  expect(
    await mona.sql`select oldest::date::text, waiting::int from list_staff_queues() where kind = 'cases'`,
  ).toEqual([{ oldest: '2026-01-03', waiting: 2 }])
})

test('a withdrawal that needs a second admin waits no longer for the one who approved it', async () => {
  await ada.sql`update withdrawal_requests set status = 'processing'`
  expect([(await waiting(ada)).withdrawals, (await waiting(anton)).withdrawals]).toEqual([0, 1])
  await sql`update app_settings set two_admins_until = now() - interval '1 day'`
  expect((await waiting(ada)).withdrawals).toBe(1)
  await sql`update app_settings set two_admins_until = null`
})

test('admins read which mails failed, and mark them seen in the staff log', async () => {
  const failed = (by: Person) => by.sql`select recipient, title, error from list_mails()`
  const mail = { recipient: 'gone@mail.example', title: 'Request Approved', error: '550 No such user' }
  expect(await failed(ada)).toEqual([mail, mail])
  await expectRefusal(failed(mona), denied('Only admins can do this'))
  await ada.sql`select mark_failed_mails_seen('2026-01-01')`
  expect(await failed(ada)).toEqual([mail])
  await ada.sql`select mark_failed_mails_seen(now())`
  await ada.sql`select mark_failed_mails_seen(now())`
  expect((await waiting(ada)).mails).toBe(0)
  expect(
    await columnOf(
      sofia.sql`select details ->> 'mails' from list_staff_log() where action = 'failed mails seen'`,
    ),
  ).toEqual(['1', '1'])
})

test('admins find where each mail to an address is, have a waiting one tried at once, and mail themselves', async () => {
  const found = async (search: string) => ada.sql`select event, status, error from list_mails(${search})`
  await ada.sql`select send_test_mail()`
  for (const mail of await waitingMails(db, ada.email))
    expect(await asSent(mail)).toMatchObject({ subject: 'Mail works' })
  expect(await found(ada.email.toUpperCase())).toEqual([
    { event: 'test-mail', status: 'waiting', error: null },
  ])
  const [mail] = await sql<{ id: string }>`
    update private.outgoing_mail set next_attempt_at = now() + interval '1 hour' where recipient = ${ada.email} returning id`
  const tryNow = (by: Person) => by.sql`select try_mail_now(${String(mail?.id)})`
  await expectRefusal(tryNow(mona), denied('Only admins can do this'))
  await tryNow(ada)
  expect(await sql`select id from private.lease_due_mails(10) where recipient = ${ada.email}`).toHaveLength(1)
  await sql`select private.settle_mail(${String(mail?.id)}, 1, null, false)`
  expect(await found(ada.email)).toEqual([{ event: 'test-mail', status: 'sent', error: null }])
  await expectRefusal(tryNow(ada), notFound('This email is not waiting any more'))
  expect(await found('gone@')).toEqual([
    { event: 'request-approved', status: 'given-up', error: '550 No such user' },
    { event: 'request-approved', status: 'given-up', error: '550 No such user' },
  ])
  expect(await found('nobody@')).toEqual([])
})

test('an admin has a given-up mail sent again, unless its link is a secret, its subject is over or its reader wants none', async () => {
  const [lena] = await addPeople(db, ['Lena'])
  const about = crypto.randomUUID()
  const token = crypto.randomUUID().replaceAll('-', '').repeat(2)
  const again = { status: 'given-up', can_be_sent: true }
  const over = { status: 'given-up', can_be_sent: false }
  const giveUp = () =>
    sql`select private.settle_mail(m.id, m.attempt, 'Mailbox full', true) from private.lease_due_mails(10) as m`
  const mails = () =>
    ada.sql`select id, status, can_be_sent from list_mails(${lena.email}) order by created_at`
  const sendAgain = (mail: Record<string, unknown> | undefined) =>
    ada.sql`select try_mail_now(${String(mail?.id)})`
  for (const path of ['/answer/', '/invitation/', '/undo-change#change=email&token='])
    await sql`select private.write_mail(${lena.email}, ${lena.id}, 'test-mail', '{}', ${path + token})`
  await sql`select private.send_mail(${lena.email}, 'Confirm your address', 'A secret link')`
  await giveUp()
  expect(await mails()).toMatchObject([over, over, over, over])
  for (const mail of await mails())
    await expectRefusal(sendAgain(mail), notFound('This email is not waiting any more'))
  await sql`delete from private.outgoing_mail where recipient = ${lena.email}`

  await sql`select private.write_mail(${lena.email}, ${lena.id}, 'request-approved', '{"plan": "Netflix"}', '/my-subscriptions', array[${about}])`
  await giveUp()
  expect(await mails()).toMatchObject([again])
  const [mail] = await mails()
  await sendAgain(mail)
  expect(await mails()).toMatchObject([{ status: 'waiting', can_be_sent: true }])
  expect(
    await sofia.sql`select actor, subject, details from list_staff_log() where action = 'mail sent again'`,
  ).toEqual([{ actor: ada.id, subject: lena.id, details: { type: 'request-approved' } }])
  await giveUp()
  expect(await mails()).toMatchObject([again])
  await sql`select private.cancel_mail(${about})`
  expect(await mails()).toMatchObject([over])
  await expectRefusal(sendAgain(mail), notFound('This email is not waiting any more'))

  await sql`select private.mail_notification(private.notify(${lena.id}, 'info', null, 'request-approved', '{"plan": "Netflix"}'), '{}', '/my-subscriptions')`
  await sql`update private.outgoing_mail set next_attempt_at = clock_timestamp() where recipient = ${lena.email}`
  await giveUp()
  expect(await mails()).toMatchObject([over, again])
  await lena.sql`select choose_notifications('places', 'mail', false)`
  expect(await mails()).toMatchObject([over, over])
})
