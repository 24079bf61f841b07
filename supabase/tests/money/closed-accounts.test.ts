// Money that the site owes to a closed account is paid out, and a rest that cannot be paid returns to the person later.
// Proves PAYOUT 04
import { beforeAll, expect, test } from 'vitest'
import { single } from '../answers.ts'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import { leftInEnglish, waitingMails } from '../mail-words.ts'
import { addPeople, addPerson, addStaff, ownDatabase, type Person, refusalOf, rule } from '../people.ts'
import { join, sharePlan } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()
let ada: Person
let anton: Person
beforeAll(async () => {
  ada = await addStaff(db, 'Ada', 'admin')
  anton = await addStaff(db, 'Anton', 'admin')
})

/** Creates a person who has closed an account with 7.50 coins; the bank account was added `hoursAgo` hours ago. */
async function gone(hoursAgo = 25): Promise<{ olivia: Person; withdrawal: string }> {
  const olivia = await addPerson(db, 'Olivia')
  await olivia.sql`update user_profiles set language = 'de' where user_id = ${olivia.id}`
  await moveCoins(db, olivia, 'earned', 7.5)
  await addBankAccount(db, olivia, { hoursAgo })
  await olivia.sql`select delete_own_account()`
  const [row] = await sql<{ id: string }>`select id from withdrawal_requests where user_id = ${olivia.id}`
  return { olivia, withdrawal: row?.id ?? '' }
}
const decide = (who: Person, id: string, status: string) =>
  who.sql`update withdrawal_requests set status = ${status},
    rejection_reason = ${status === 'rejected' ? 'No such account' : null} where id = ${id} returning status`
const mails = async ({ email }: Person) =>
  (await waitingMails(db, email))
    .filter(({ event }) => event !== 'account-bank-account')
    .map(({ said }) => said.subject)
const kept = async ({ id }: Person) =>
  (
    await sql`select (select count(*)::int from private.closed_accounts where user_id = ${id}) as address,
      (select count(*)::int from private.bank_accounts where user_id = ${id}) as bank,
      (select language from user_profiles where user_id = ${id}),
      (select coin_balance from user_wallets where user_id = ${id}) as coins`
  )[0]
const later = async (time: string) => {
  await sql`update private.clock set ahead = ahead + ${time}::interval`
  await sql`select private.settle_closed_accounts()`
}
/** Creates a person who signs up again with the email address, confirmed or not. */
async function again(email: string, proven: 'proven' | 'unproven'): Promise<Person> {
  const person = await addPerson(db, 'Olivia')
  await sql`update auth.users set email = ${email}, email_confirmed_at = case ${proven} when 'proven' then now() end
    where id = ${person.id}`
  return person
}
const coinsOf = async ({ id }: Person) =>
  (await sql`select coin_balance as coins from user_wallets where user_id = ${id}`)[0]?.coins

test('a thief who adds a bank account and closes the account is not paid', async () => {
  const { olivia, withdrawal } = await gone(1)
  expect(await refusalOf(decide(ada, withdrawal, 'processing'))).toEqual(
    rule('This bank account is new. You can pay to it in 23 hours.'),
  )
  const [mail] = await sql<{ path: string }>`select path from private.outgoing_mail
    where recipient = ${olivia.email} and event = 'account-bank-account'`
  const token = /token=([0-9a-f]{64})/.exec(mail?.path ?? '')?.[1] ?? ''
  const next = `The account is closed. What was left in it waits for an account that is opened with ${olivia.email}.`
  expect(await VISITOR.sql`select undo_account_change(${token}) ->> 'next' as next`).toEqual([{ next }])
  expect(
    await sql`select status, rejection_reason as reason from withdrawal_requests where id = ${withdrawal}`,
  ).toEqual([{ status: 'rejected', reason: 'You undid adding this bank account.' }])
  const owner = await again(olivia.email, 'proven')
  await later('1 minute')
  expect(await coinsOf(owner)).toBe('7.50')
})

test('less than 20 coins are paid like any withdrawal, and nothing of its person is left 30 days later', async () => {
  const { olivia, withdrawal } = await gone()
  const all = { address: 1, bank: 1, language: 'de', coins: '7.50' }
  expect(await kept(olivia)).toEqual(all)
  await decide(ada, withdrawal, 'processing')
  const [file] = await ada.sql<{ id: string }>`select create_payout_file(${`{${withdrawal}}`}) as id`
  expect(await anton.sql`select open_payout_file(${file?.id}) -> 'payments' as payments`).toMatchObject([
    { payments: [{ amount: '7.50', account: { last4: '3000', sealed: 'v1.sealed.elsewhere' } }] },
  ])
  await decide(anton, withdrawal, 'completed')
  expect(await mails(olivia)).toEqual(['Your account is closed', 'Your last payout is made'])
  await later('29 days 23 hours')
  expect(await kept(olivia)).toEqual({ ...all, coins: '0.00' })
  await later('1 hour')
  expect(await kept(olivia)).toEqual({ address: 0, bank: 0, language: null, coins: '0.00' })
  expect(await sql`select * from private.check_books()`).toEqual([])
})

test.each(['returned by the bank', 'rejected'])(
  'a last payout that is %s waits for whoever proves to have the address',
  async (what) => {
    const { olivia, withdrawal } = await gone()
    if (what === 'rejected') await decide(ada, withdrawal, 'rejected')
    else {
      await decide(ada, withdrawal, 'processing')
      await decide(anton, withdrawal, 'completed')
      await ada.sql`select return_withdrawal(${withdrawal}, 'Account closed')`
    }
    expect(await mails(olivia)).toContain('Your last payout did not arrive')
    expect(await leftInEnglish(db)).toEqual([])
    const stranger = await again(olivia.email, 'unproven')
    await later('400 days')
    expect(await kept(olivia)).toMatchObject({ address: 1, coins: '7.50' })
    expect(await coinsOf(stranger)).toBeUndefined()
    await sql`update auth.users set email_confirmed_at = now() where id = ${stranger.id}`
    for (let times = 0; times < 2; times += 1) await later('1 minute')
    expect(await coinsOf(stranger)).toBe('7.50')
    expect(
      await stranger.sql`select title from user_notifications where event = 'coins-handed-over'`,
    ).toEqual([{ title: 'Coins From Your Closed Account' }])
    await later('31 days')
    expect(await kept(olivia)).toEqual({ address: 0, bank: 0, language: null, coins: '0.00' })
    expect(await sql`select * from private.check_books()`).toEqual([])
  },
)

test('money that a problem may give back keeps the addresses of its two sides, and no other', async () => {
  const [olivia, marc, zoe] = await addPeople(db, ['Olivia', 'Marc', 'Zoe'])
  await join(db, marc, await sharePlan(db, olivia))
  await marc.sql`select report_problem(id, 'password') from my_seats()`
  const owed = [olivia, marc, zoe].map(({ id }) => single(sql`select private.is_owed(${id})`))
  expect(await Promise.all(owed)).toEqual([true, true, false])
})
