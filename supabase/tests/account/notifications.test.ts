// Tests who gets which in-app notification (the bell menu), and when.
// Proves NOTIF 10 11, REQ 20, DATA 12, API 17
import { beforeEach, expect, test } from 'vitest'
import { columnOf, expectRefusal } from '../answers.ts'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import { addStaff, ownDatabase, type Person } from '../people.ts'
import { ask, sayingHowPaid, setTheTable } from '../plans.ts'

const { db, sql } = await ownDatabase()
const ada = await addStaff(db, 'Ada', 'admin')
const anton = await addStaff(db, 'Anton', 'admin')
let { olivia, marc, zoe, plan } = await setTheTable(db)
beforeEach(async () => {
  ;({ olivia, marc, zoe, plan } = await setTheTable(db))
})

/** Returns all notifications since the last call, by receiver. */
const news = async () =>
  (
    await sql`with gone as (delete from user_notifications returning *)
      select user_id, type, title, message from gone order by created_at`
  ).map(Object.values)

test('a notification outlives the plan it is about', async () => {
  const plans = () =>
    marc.sql`select subscription_id from user_notifications where title = 'Request Approved'`
  expect(await plans()).toEqual([{ subscription_id: plan.id }])
  await olivia.sql`delete from shared_subscriptions where id = ${plan.id}`
  expect(await plans()).toEqual([{ subscription_id: null }])
})

test('a notification is of one of four kinds, and has two texts, a read mark and a time', async () => {
  expect(await marc.sql`select * from user_notifications`).toMatchObject([
    {
      ...{ id: expect.any(String), type: 'success', title: 'Request Approved', read: false },
      message: 'Your request to join Netflix Premium has been approved.',
      created_at: expect.any(String),
    },
  ])
  const write = (kind: string) =>
    sql`insert into user_notifications (user_id, type, title, message) values (${marc.id}, ${kind}, 'T', 'M')`
  for (const kind of ['success', 'warning', 'error', 'info']) await write(kind)
  await expectRefusal(write('parade'), { code: '23514' })
})

test.each([
  [null, '1 July, 22:30 UTC', '31 December 2026, 23:30 UTC'],
  ['Europe/Berlin', '2 July, 00:30 CEST', '1 January 2027, 00:30 CET'],
  ['Asia/Kathmandu', '2 July, 04:15 GMT+0545', '1 January 2027, 05:15 GMT+0545'],
])('a moment in a notification is said where its reader is: %s', async (zone, until, at) => {
  if (zone) await marc.sql`select set_time_zone(${zone})`
  const params = { plan: '{until}', until: '2026-07-01T22:30:00Z', at: '2026-12-31T23:30:00Z' }
  const withdrew = (plan: string, since: string) =>
    `Marc, on ${since} you withdrew from the contract for ${plan}. You pay us nothing.`
  const paused = (plan: string, end: string) =>
    `Marc’s place in ${plan} is paused until ${end}. Nothing is charged until then.`
  const said = async (given: object) =>
    columnOf<string>(sql`
      select (private.notice(${marc.id}, 'info', null, event, ${JSON.stringify({ ...given, name: 'Marc', member: 'Marc' })}::jsonb || what)).message
      from (values ('contract-withdrawn', '{"what":"nothing"}'::jsonb), ('member-suspended', '{"what":"passing"}')) as two (event, what)`)
  // A plan name that looks like a placeholder is not filled in.
  expect(await said(params)).toEqual([withdrew('{until}', at), paused('{until}', until)])
  // The session's time zone is unchanged, and a missing parameter shows as its placeholder.
  expect(await sql`select current_setting('timezone') as zone`).toEqual([{ zone: 'UTC' }])
  expect(await said({})).toEqual([withdrew('{plan}', '{at}'), paused('{plan}', '{until}')])
})

test('exactly one person is told when somebody asks, is answered, leaves or is removed', async () => {
  const answer = (how: 'approve' | 'reject') => async () =>
    sayingHowPaid(olivia, async () =>
      olivia.run(`select ${how}_subscription_request($1, $2)`, [await ask(db, zoe, plan), plan.id]),
    )
  const cancel = async () =>
    zoe.sql`update subscription_requests set status = 'cancelled' where id = ${await ask(db, zoe, plan)}`
  const remove = (by: Person, whom: Person) => () =>
    by.sql`delete from subscription_members where user_id = ${whom.id}`
  const asked = [olivia.id, 'info', 'New Join Request', 'Zoe would like to join Netflix Premium.']
  const YOURS = 'Your request to join Netflix Premium has been'
  await news()
  for (const [happen, ...told] of [
    [cancel, asked, [olivia.id, 'info', 'Request Cancelled', 'Zoe no longer wants to join Netflix Premium.']],
    [answer('reject'), asked, [zoe.id, 'info', 'Request Rejected', `${YOURS} rejected.`]],
    [answer('approve'), asked, [zoe.id, 'success', 'Request Approved', `${YOURS} approved.`]],
    [remove(marc, marc), [olivia.id, 'info', 'Member Left', 'Marc has left Netflix Premium.']],
    [
      remove(olivia, zoe),
      [zoe.id, 'warning', 'Membership Ended', 'You are no longer a member of Netflix Premium.'],
    ],
  ] as const) {
    await happen()
    expect(await news()).toEqual(told)
  }
})

test('somebody is told of their first coins, and of every step of a withdrawal', async () => {
  await news()
  await moveCoins(db, olivia, 'earned', 60)
  await addBankAccount(db, olivia)
  const paid = await olivia.insert('withdrawal_requests', { amount: '20' })
  const refused = await olivia.insert('withdrawal_requests', { amount: '20' })
  const decide = ({ id }: { id: string }, by: Person, status: string, reason: string | null = null) =>
    by.sql`update withdrawal_requests set status = ${status}, rejection_reason = ${reason} where id = ${id}`
  expect(await news()).toEqual([
    [olivia.id, 'success', 'First Coins', 'Your first 60.00 coins are in your wallet.'],
  ])
  await decide(paid, ada, 'processing')
  await decide(paid, anton, 'completed')
  await decide(refused, ada, 'rejected', 'Unknown account')
  expect(await news()).toEqual(
    [
      ['info', 'Processing'],
      ['info', 'Completed'],
      ['warning', 'Rejected'],
    ].map(([kind, status = '']) => {
      const message = expect.stringContaining(`20.00 coins is now ${status.toLowerCase()}`)
      return [olivia.id, kind, `Withdrawal ${status}`, message]
    }),
  )
})
