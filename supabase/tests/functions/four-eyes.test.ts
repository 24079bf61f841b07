// No admin moves coins alone or unseen: what each tries, and how it is refused.

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addBankAccount } from '../bank-accounts.ts'
import { moveCoins } from '../coins.ts'
import { addPerson, addStaff, DENIED, denied, ownDatabase, type Person, refusalOf, rule } from '../people.ts'

const { db, sql } = await ownDatabase()
const staff: Record<string, Person> = {}
let olivia: Person
beforeAll(async () => {
  await sql`insert into system_roles (name, permissions) values ('editor', '{settings.edit}')`
  const roles = { Ada: 'admin', Anton: 'admin', Sofia: 'super-admin', Mona: 'moderator', Edith: 'editor' }
  for (const [name, role] of Object.entries(roles)) staff[name] = await addStaff(db, name, role)
})
// Olivia has 50 coins. Of these Ada has approved 30 that she wants paid out.
beforeEach(async () => {
  await sql`update app_settings set review_new_plans = false, adjustment_ceiling = 100`
  olivia = await addPerson(db, 'Olivia')
  await moveCoins(db, olivia, 'earned', 50, 'A share')
  await addBankAccount(db, olivia)
  await olivia.sql`insert into withdrawal_requests (amount) values (30)`
  await as('Ada', `update withdrawal_requests set status = 'processing' where user_id = :olivia`)
})

const named = (name: string): Person => {
  const person = name === 'Olivia' ? olivia : staff[name]
  if (!person) throw new Error(`There is no ${name}`)
  return person
}
const as = (name: string, text: string) => named(name).run(text.replaceAll(':olivia', `'${olivia.id}'`))
const everything = async () => [
  await db.query('select * from withdrawal_requests where user_id = $1', [olivia.id]),
  await db.query('select * from coin_transactions where user_id = $1', [olivia.id]),
  await db.query('select review_new_plans, adjustment_ceiling from app_settings'),
]
const adjust = (amount: string) => `select * from adjust_wallet(:olivia, ${amount}, 'Counted twice')`
const decide = (changes: string) =>
  `update withdrawal_requests set ${changes} where user_id = :olivia returning status`
const set = (changes: string) => `update app_settings set ${changes} returning review_new_plans`

const CEILING = denied('Only a super-admin decides how much one adjustment can move')
test.each([
  ['Ada', decide(`status = 'completed'`), denied('Another admin completes what you approved')],
  ['Ada', decide(`status = 'completed', processed_by = null`), DENIED],
  ['Anton', decide(`status = 'completed', completed_by = user_id`), DENIED],
  ['Ada', decide(`status = 'pending'`), rule('A processing withdrawal cannot become pending')],
  ['Anton', decide(`status = 'rejected'`), rule('A rejection needs a reason')],
  ['Ada', `insert into coin_transactions (user_id, created_by) values (:olivia, null)`, DENIED],
  ['Ada', `update coin_transactions set created_by = null where user_id = :olivia`, DENIED],
  ['Anton', adjust('-20.01'), rule('Only 20.00 coins are available, because the others wait to be paid out')],
  ['Anton', adjust('-50.01'), rule('The balance cannot go below zero')],
  ['Ada', adjust('100.01'), rule('One adjustment can move at most 100.00 coins')],
  ['Sofia', adjust('-100.01'), rule('One adjustment can move at most 100.00 coins')],
  ['Edith', adjust('1'), denied('Only an admin can do this')],
  ['Edith', set('adjustment_ceiling = 1000'), CEILING],
  ['Sofia', set('adjustment_ceiling = 0'), { code: '23514' }],
  ['Sofia', set(`adjustment_ceiling = 'NaN'`), { code: '23514' }],
  ['Sofia', set('updated_by = null'), DENIED],
])('%s is refused: %s', async (who, attempt, refusal) => {
  const before = await everything()
  expect(await refusalOf(as(who, attempt))).toMatchObject(refusal)
  expect(await everything()).toEqual(before)
})

test.each(['Ada', 'Mona', 'Olivia'])('%s reaches no setting', async (who) => {
  const before = await everything()
  expect(await as(who, set('review_new_plans = true'))).toEqual([])
  expect(await as(who, set('adjustment_ceiling = 1000'))).toEqual([])
  expect(await everything()).toEqual(before)
})

describe('settings', () => {
  test('change by whoever has the permission, the ceiling by a super-admin, and say by whom', async () => {
    const read = () => as('Ada', 'select review_new_plans, adjustment_ceiling, updated_by from app_settings')
    await as('Edith', set('review_new_plans = true'))
    expect(await read()).toEqual([
      { review_new_plans: true, adjustment_ceiling: '100.00', updated_by: named('Edith').id },
    ])
    await as('Sofia', set('adjustment_ceiling = 100.01'))
    expect(await read()).toEqual([
      { review_new_plans: true, adjustment_ceiling: '100.01', updated_by: named('Sofia').id },
    ])
    expect(await as('Ada', adjust('100.01'))).toMatchObject([{ amount: '100.01' }])
  })
})

describe('a withdrawal that is processing', () => {
  const listed = async () => {
    const found = await as('Ada', 'select * from list_withdrawals() where user_id = :olivia')
    return found.map(({ status, processed_by, processed_by_name, completed_by, completed_by_name }) => [
      status,
      [processed_by, processed_by_name],
      [completed_by, completed_by_name],
    ])
  }
  const by = (name: string) => [named(name).id, name]

  test('is completed by another admin, and the list names both', async () => {
    expect(await listed()).toEqual([['processing', by('Ada'), [null, null]]])
    await as('Anton', decide(`status = 'completed'`))
    expect(await listed()).toEqual([['completed', by('Ada'), by('Anton')]])
    expect(
      await olivia.sql`select amount, created_by from coin_transactions where transaction_type = 'withdrawn'`,
    ).toEqual([{ amount: '30.00', created_by: named('Anton').id }])
  })

  test('is completed by the server, whoever approved it', async () => {
    await sql`update withdrawal_requests set status = 'completed' where user_id = ${olivia.id}`
    expect(await listed()).toEqual([['completed', by('Ada'), [null, null]]])
  })

  test.each(['Ada', 'Anton'])('is rejected by %s with a reason, which frees its coins', async (who) => {
    await as(who, decide(`status = 'rejected', rejection_reason = 'The bank sent it back'`))
    expect(await listed()).toEqual([['rejected', by('Ada'), by(who)]])
    expect(
      await olivia.sql`select rejection_reason, completed_at >= processed_at as dated from withdrawal_requests`,
    ).toEqual([{ rejection_reason: 'The bank sent it back', dated: true }])
    expect(await olivia.sql`select coin_balance from user_wallets`).toEqual([{ coin_balance: '50.00' }])
    expect(await olivia.sql`insert into withdrawal_requests (amount) values (50) returning status`).toEqual([
      { status: 'pending' },
    ])
  })
})

describe('an adjustment', () => {
  test('says who made it, and its person hears of it', async () => {
    await as('Ada', adjust('-20'))
    await as('Anton', adjust('1.5'))
    expect(await olivia.sql`select amount, created_by from coin_transactions order by created_at`).toEqual([
      { amount: '50.00', created_by: null },
      { amount: '20.00', created_by: named('Ada').id },
      { amount: '1.50', created_by: named('Anton').id },
    ])
    expect(
      await olivia.sql`select message from user_notifications where title = 'Wallet Adjusted' order by created_at`,
    ).toEqual([
      { message: '20.00 coins were taken from your wallet: Counted twice' },
      { message: '1.50 coins were added to your wallet: Counted twice' },
    ])
  })

  test('and a withdrawal at once do not take the same coins', async () => {
    const ends = await Promise.allSettled([
      as('Ada', adjust('-20')),
      olivia.sql`insert into withdrawal_requests (amount) values (20)`,
    ])
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('keeps naming an admin who has deleted the account', async () => {
    staff.Amelie = await addStaff(db, 'Amelie', 'admin')
    await as('Amelie', adjust('5'))
    await as('Amelie', 'select delete_own_account()')
    expect(
      await sql`select p.display_name from coin_transactions as t join user_profiles as p on p.user_id = t.created_by
         where t.user_id = ${olivia.id}`,
    ).toEqual([{ display_name: 'Deleted account' }])
  })
})
