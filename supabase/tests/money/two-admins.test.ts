// Whether a withdrawal takes two admins: only super-admins turn this setting off, with a proof, a mail to all of them
// and a day's notice.
// Proves ADMIN 37 38, PAYOUT 05 06
import { beforeEach, expect, test } from 'vitest'
import { columnOf, DENIED, denied, expectRefusal, single } from '../answers.ts'
import { addBankAccount, addPayee } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import { leftInEnglish } from '../mail-words.ts'
import { addStaff, calling, ownDatabase, type Person, signedInWith } from '../people.ts'

const { db, sql } = await ownDatabase()
const SERVICE = calling(db, { role: 'service_role', claims: '{"role":"service_role"}' })
const APPROVED = 'You approved this, so another admin completes it'
const COMPLETED = 'You completed this, so another admin records its return'
const ADJUSTED = 'You adjusted this wallet, so another admin processes its withdrawals'
const OWN = 'Someone else decides on your own withdrawal'
const ONLY_SUPER_ADMINS = denied('Only super-admins can change this setting')

let sofia: Person
let selma: Person
beforeEach(async () => {
  await sql`update app_settings set two_admins_until = null`
  await sql`update private.clock set ahead = '0', beat_at = null`
  await sql`delete from private.outgoing_mail`
  const former = await columnOf(sql`select user_id from user_roles`)
  sofia = await addStaff(db, 'Sofia', 'super-admin')
  for (const id of former) await sql`delete from user_roles where user_id = ${id}`
  selma = await addStaff(db, 'Selma', 'super-admin')
})

const pass = (time: string) => sql`update private.clock set ahead = ahead + ${time}::interval`
const set = (who: Pick<Person, 'sql'>, on: boolean) => who.sql`select set_two_admins(${on})`
const takesTwo = () => single<boolean>(sofia.sql`select takes_two_admins()`)
const decide = (who: Person, id: string, status: string) =>
  who.sql`update withdrawal_requests set status = ${status} where id = ${id} returning *`
const giveBack = (who: Person, id: string) => who.sql`select return_withdrawal(${id}, 'Account closed')`
const withdraw = async (person: Person) =>
  String((await person.insert('withdrawal_requests', { amount: '30' })).id)
const asked = async () => withdraw(await addPayee(db, 50))
/** Returns the message of the first step that is refused, or 'done' if none is. */
async function outcome(...steps: (() => Promise<unknown>)[]): Promise<string> {
  for (const step of steps) {
    const refused = await step().then(
      () => null,
      (error: Error) => error.message,
    )
    if (refused !== null) return refused
  }
  return 'done'
}

/** Returns how far each of the admins gets with a withdrawal. */
async function sides() {
  const [ada, anton, amelie] = [
    await addStaff(db, 'Ada', 'admin'),
    await addStaff(db, 'Anton', 'admin'),
    await addStaff(db, 'Amelie', 'admin'),
  ]
  await moveCoins(db, ada, 'earned', 50)
  await addBankAccount(db, ada)
  const olivia = await addPayee(db, 50)
  await amelie.sql`select adjust_wallet(${olivia.id}, 5, 'Counted twice')`
  const [first, second] = [await asked(), await asked()]
  const [own, adjusted] = [await withdraw(ada), await withdraw(olivia)]
  const approve = (who: Person, id: string) => () => decide(who, id, 'processing')
  const complete = (who: Person, id: string) => () => decide(who, id, 'completed')
  const alone = await outcome(approve(ada, second), complete(ada, second))
  if (alone !== 'done') await decide(anton, second, 'completed')
  return {
    'two admins': await outcome(approve(ada, first), complete(anton, first), () => giveBack(ada, first)),
    'one admin': alone,
    'who completed it, of its return': await outcome(() => giveBack(alone === 'done' ? ada : anton, second)),
    'the admin whose own it is, first': await outcome(approve(ada, own)),
    'the admin whose own it is, second': await outcome(approve(anton, own), complete(ada, own)),
    'who adjusted the wallet, first': await outcome(approve(amelie, adjusted)),
    'who adjusted the wallet, second': await outcome(approve(anton, adjusted), complete(amelie, adjusted)),
  }
}

const ALWAYS = {
  'two admins': 'done',
  'the admin whose own it is, first': OWN,
  'the admin whose own it is, second': OWN,
  'who adjusted the wallet, first': ADJUSTED,
  'who adjusted the wallet, second': ADJUSTED,
}
const TWO = { ...ALWAYS, 'one admin': APPROVED, 'who completed it, of its return': COMPLETED }
const ONE = { ...ALWAYS, 'one admin': 'done', 'who completed it, of its return': 'done' }

test.each<[state: string, reach: () => Promise<unknown>, expected: object]>([
  ['as at first', async () => undefined, TWO],
  [
    'with one admin left for a month',
    async () => {
      await sql`delete from user_roles where user_id = ${selma.id}`
      await pass('30 days')
      await sql`select private.run_due_work()`
    },
    TWO,
  ],
  ['turned off 23 hours ago', () => set(sofia, false).then(() => pass('23 hours')), TWO],
  [
    'turned off 23 hours ago, and again an hour ago',
    async () => {
      await set(sofia, false)
      await pass('22 hours')
      await set(selma, false)
      await pass('1 hour')
    },
    TWO,
  ],
  ['turned off 24 hours ago', () => set(sofia, false).then(() => pass('24 hours')), ONE],
  [
    'turned off 24 hours ago, and again in between',
    async () => {
      await set(sofia, false)
      await pass('23 hours')
      await set(selma, false)
      await pass('1 hour')
    },
    ONE,
  ],
  [
    'turned off, which another super-admin cancelled',
    async () => {
      await set(sofia, false)
      await set(selma, true)
      await pass('25 hours')
    },
    TWO,
  ],
  [
    'turned off, and on again after a month',
    async () => {
      await set(sofia, false)
      await pass('30 days')
      await set(sofia, true)
    },
    TWO,
  ],
  [
    'turned off, then nothing ran for three days',
    async () => {
      await set(sofia, false)
      await sql`update private.clock set ahead = '3 days', beat_at = now() - interval '3 days'`
    },
    TWO,
  ],
  [
    'turned off, then nothing ran for three days, which ended 23 hours ago',
    async () => {
      await set(sofia, false)
      await sql`update private.clock set ahead = '3 days', beat_at = now() - interval '3 days'`
      await sql`select private.run_due_work()`
      await pass('23 hours')
    },
    TWO,
  ],
  [
    'turned off, then nothing ran for three days, which ended a day ago',
    async () => {
      await set(sofia, false)
      await sql`update private.clock set ahead = '3 days', beat_at = now() - interval '3 days'`
      await sql`select private.run_due_work()`
      await pass('24 hours')
    },
    ONE,
  ],
])('%s: who completes a withdrawal', async (_state, reach, expected) => {
  await reach()
  expect(await sides()).toEqual(expected)
})

test('the only admin of a site completes what they approved before they turned it off', async () => {
  await sql`delete from user_roles where user_id = ${selma.id}`
  const id = await asked()
  await sofia.sql`update withdrawal_requests set status = 'processing', stripe_transfer_id = 'tr_1' where id = ${id}`
  await expectRefusal(decide(sofia, id, 'completed'), denied(APPROVED))
  await set(sofia, false)
  await expectRefusal(decide(sofia, id, 'completed'), denied(APPROVED))
  await pass('24 hours')
  expect(await decide(sofia, id, 'completed')).toMatchObject([
    {
      ...{ status: 'completed', stripe_transfer_id: 'tr_1', bank_account_last4: '3000' },
      ...{ completed_at: expect.anything(), processed_by: sofia.id, completed_by: sofia.id },
    },
  ])
})

test('it stays off when a second admin joins, until a super-admin turns it on, which holds at once', async () => {
  await set(sofia, false)
  await pass('24 hours')
  const ada = await addStaff(db, 'Ada', 'admin')
  const [alone, begun] = [await asked(), await asked()]
  for (const id of [alone, begun]) await decide(ada, id, 'processing')
  await decide(ada, alone, 'completed')
  await set(selma, true)
  await expectRefusal(decide(ada, begun, 'completed'), denied(APPROVED))
  await decide(selma, begun, 'completed')
})

test('a stolen super-admin turns it off only with a fresh proof; all are mailed at once, and another cancels', async () => {
  const stale = signedInWith(db, sofia, ['totp'], 11 * 60)
  await expectRefusal(set(stale, false), { code: 'PT403', message: 'Confirm it’s you.' })
  await expectRefusal(
    set(signedInWith(db, sofia, ['password']), false),
    denied('To do this, set up two-step sign-in or a passkey in Account Settings.'),
  )
  expect(await sql`select from private.outgoing_mail`).toEqual([])
  const ada = await addStaff(db, 'Ada', 'admin')
  for (const { id } of [sofia, selma])
    await sql`insert into private.unwanted_notifications select ${id}, topic, 'mail' from unnest(private.notification_topics()) as topic`
  for (const who of [sofia, selma, sofia]) await set(who, false)
  const until = await single<Date>(sql`select two_admins_until from app_settings`)
  expect(
    await sql`select recipient, event, params ->> 'person' as person, (params ->> 'until')::timestamptz as until,
        next_attempt_at <= clock_timestamp() as due, unsubscribe_path
      from private.outgoing_mail order by recipient = ${selma.email}`,
  ).toEqual(
    [sofia, selma].map(({ email }) => ({
      ...{ recipient: email, event: 'payout-by-one-admin', person: 'Sofia', until },
      ...{ due: true, unsubscribe_path: null },
    })),
  )
  expect(await leftInEnglish(db)).toEqual([])
  await expectRefusal(set(ada, true), ONLY_SUPER_ADMINS)
  await set(signedInWith(db, selma, ['totp'], 3600), true)
  for (const who of [sofia, selma])
    expect(await columnOf(who.sql`select message from user_notifications order by created_at`)).toEqual([
      expect.stringMatching(
        /^Sofia turned off “Two admins per withdrawal”: from .+ UTC, one admin can approve and complete it\. You can cancel this in the site settings\.$/,
      ),
      'Selma turned on “Two admins per withdrawal”: one admin approves it, another completes it.',
    ])
  expect(await ada.sql`select from user_notifications`).toEqual([])
  expect(
    await selma.sql`select actor_name, action, details -> 'before' -> 'two_admins_until' is not null as before,
      details -> 'after' -> 'two_admins_until' is not null as after from list_staff_log(null, 2)`,
  ).toEqual([
    { actor_name: 'Selma', action: 'settings changed', before: true, after: false },
    { actor_name: 'Sofia', action: 'settings changed', before: false, after: true },
  ])
})

test('nothing but its function changes it, the service key included, and no clock is moved', async () => {
  await sql`insert into system_roles (name, permissions) values ('editor', '{settings.edit}'), ('recruiter', '{roles.manage}')`
  const [ada, edith, rita] = await Promise.all(
    ['admin', 'editor', 'recruiter'].map((role) => addStaff(db, 'Ada', role)),
  )
  await set(sofia, false)
  for (const who of [ada, edith, rita])
    for (const on of [false, true]) await expectRefusal(set(who as Person, on), ONLY_SUPER_ADMINS)
  for (const who of [sofia, SERVICE])
    for (const statement of [
      `update app_settings set two_admins_until = now()`,
      `update app_settings set review_new_plans = true, two_admins_until = null`,
      `delete from app_settings`,
      `insert into app_settings (two_admins_until) values (now())`,
      `update private.clock set ahead = '2 days'`,
      `select move_clock('25 hours')`,
    ])
      await expectRefusal(who.run(statement), DENIED)
  await expectRefusal(set(SERVICE, false), DENIED)
  expect(await takesTwo()).toBe(true)
})
