// What happens when money and roles are moved at the same moment.

import { describe, expect, test } from 'vitest'
import { addBankAccount } from './bank-accounts.ts'
import { moveCoins } from './coins.ts'
import { addPerson, addStaff, ownDatabase, type Person } from './people.ts'
import { sharePlan } from './plans.ts'
import { race, times } from './race.ts'

const { db, sql } = await ownDatabase()

const count = async (sql: string, value: string) =>
  Number((await db.query<{ n: number }>(`select count(*) as n from ${sql}`, [value]))[0]?.n)

describe('money and staff', () => {
  test('a hundred withdrawals at once of coins that are enough for five: five are taken', async () => {
    const olivia = await addPerson(db, 'Olivia')
    await moveCoins(db, olivia, 'earned', 119.99)
    await addBankAccount(db, olivia)
    const withdraw = () => olivia.sql`insert into withdrawal_requests (amount) values (20)`
    expect(await race(times(100, withdraw))).toEqual({
      done: 5,
      '23514: Maximum withdrawal amount is 19.99 coins': 95,
    })
  })

  test('two admins who complete the same withdrawal ten times at once pay it once', async () => {
    const olivia = await addPerson(db, 'Olivia')
    const [ada, anton] = [await addStaff(db, 'Ada', 'admin'), await addStaff(db, 'Anton', 'admin')]
    await moveCoins(db, olivia, 'earned', 100)
    await addBankAccount(db, olivia)
    await olivia.sql`insert into withdrawal_requests (amount) values (30)`
    const decide = (who: Person, status: string) => () =>
      who.run(`update withdrawal_requests set status = '${status}' where user_id = $1`, [olivia.id])
    await decide(await addStaff(db, 'Amelie', 'admin'), 'processing')()
    const complete = [...times(5, decide(ada, 'completed')), ...times(5, decide(anton, 'completed'))]
    expect(await race(complete)).toEqual({
      done: 1,
      '23514: A completed withdrawal cannot become completed': 9,
    })
    expect(await olivia.sql`select coin_balance, total_withdrawn from user_wallets`).toEqual([
      { coin_balance: '70.00', total_withdrawn: '30.00' },
    ])
    expect(
      await olivia.sql`select amount from coin_transactions where transaction_type = 'withdrawn'`,
    ).toEqual([{ amount: '30.00' }])
  })

  test('a wallet of 50 from which ten adjustments take 20 at once gives twice', async () => {
    const [olivia, ada] = [await addPerson(db, 'Olivia'), await addStaff(db, 'Ada', 'admin')]
    await moveCoins(db, olivia, 'earned', 50)
    const take = () => ada.sql`select adjust_wallet(${olivia.id}, -20, 'Paid twice')`
    expect(await race(times(10, take))).toEqual({
      done: 2,
      '23514: The balance cannot go below zero': 8,
    })
    expect(await olivia.sql`select coin_balance from user_wallets`).toEqual([{ coin_balance: '10.00' }])
    expect(
      await count(`coin_transactions where transaction_type = 'spent' and user_id = $1`, olivia.id),
    ).toBe(2)
  })

  test('two super-admins who remove each other at once: one stays', async () => {
    const sofia = await addStaff(db, 'Sofia', 'super-admin')
    const selma = await addStaff(db, 'Selma', 'super-admin')
    const remove = (who: Person, whom: Person) => () => who.sql`select assign_user_role(${whom.id}, '')`
    await race([remove(sofia, selma), remove(selma, sofia)])
    expect(await count('user_roles where role = $1', 'super-admin')).toBe(1)
  })
})

test('of ten decisions about one plan at the same moment one holds, and its owner hears of that one', async () => {
  const olivia = await addPerson(db, 'Olivia')
  const plan = await sharePlan(db, olivia)
  await sql`update shared_subscriptions set status = 'pending' where id = ${plan.id}`
  const staff = await Promise.all(Array.from({ length: 10 }, () => addStaff(db, 'Mona', 'moderator')))
  const outcome = await race(
    staff.map(
      (person, place) => () =>
        person.sql`select review_plan(${plan.id}, ${place % 2 === 0 ? 'approve' : 'reject'})`,
    ),
  )
  const [after] = await sql<{ status: string }>`select status from shared_subscriptions where id = ${plan.id}`
  expect(outcome).toEqual({ done: 1, [`23514: This plan is already ${after?.status}`]: 9 })
  expect(['active', 'rejected']).toContain(after?.status)
  expect(await count('user_notifications where user_id = $1', olivia.id)).toBe(1)
})
