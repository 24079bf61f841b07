// Transfers that meet: on the same accounts, in opposite directions, under the same key.
import { expect, test } from 'vitest'
import { moveCoins } from '../coins.ts'
import { addPerson, ownDatabase } from '../people.ts'
import { race, times } from '../race.ts'

const { db, sql } = await ownDatabase()

test('transfers to and fro between twenty accounts do not block each other, and the books balance', async () => {
  // Ten wallets and ten seats, each with enough for whatever order they come in.
  const count = db.kind === 'postgres' ? 10_000 : 1_000
  const wallets = await Promise.all(Array.from({ length: 10 }, () => addPerson(db, 'Olivia')))
  for (const person of wallets) await moveCoins(db, person, 'earned', count)
  const accounts = await db.query<{ id: string }>(
    `select private.ledger_account('wallet', id::uuid) as id from unnest($1::text[]) as id
     union all select private.ledger_account('held_share', gen_random_uuid()) from generate_series(1, 10)`,
    [`{${wallets.map(({ id }) => id).join(',')}}`],
  )
  const ids = accounts.map(({ id }) => id)
  for (const [place, id] of ids.slice(10).entries())
    await sql`select private.transfer(${`filled ${place}`}, private.ledger_account('outside'), ${id}, ${count}, 'payment')`
  const step = (n: number) => {
    const pair = [ids[n % 10], ids[10 + (Math.floor(n / 10) % 10)]]
    // A payment out of the wallet, and one that is returned to it.
    const [from, to] = n % 3 === 0 ? pair : pair.toReversed()
    const kind = n % 3 === 0 ? 'payment' : 'payment-returned'
    return sql`select private.transfer(${`step ${n}`}, ${from}, ${to}, ${1 + (n % 2)}, ${kind})`
  }
  // Ten at a time, one on each connection.
  let next = 0
  const worker = async () => {
    while (next < count) await step(next++)
  }
  expect(await race(times(10, worker))).toEqual({ done: 10 })
  expect(await sql`select * from private.check_books()`).toEqual([])
  expect(await sql`select count(*)::int as n from private.ledger_transfers where key like 'step %'`).toEqual([
    { n: count },
  ])
})

test('one key fifty times at once moves money once', async () => {
  const olivia = await addPerson(db, 'Olivia')
  const wallet = (await sql<{ id: string }>`select private.ledger_account('wallet', ${olivia.id}) as id`)[0]
    ?.id
  const pay = () =>
    sql`select private.transfer('the same', private.ledger_account('outside'), ${wallet}, 5, 'earning')`
  expect(await race(times(50, pay))).toEqual({ done: 50 })
  expect(await olivia.sql`select coin_balance from user_wallets`).toEqual([{ coin_balance: '5.00' }])
})

test('people who withdraw, spend, are adjusted and leave at once never wait in a circle', async () => {
  const people = await Promise.all(Array.from({ length: 10 }, () => addPerson(db, 'Marc')))
  for (const person of people) await moveCoins(db, person, 'earned', 19)
  const outcome = await race(
    people.flatMap((person) => [
      () => person.sql`select delete_own_account(true)`,
      () => moveCoins(db, person, 'earned', 0.5),
      () => person.sql`select open_own_wallet()`,
      () => moveCoins(db, person, 'spent', 0.25),
    ]),
  )
  expect(Object.keys(outcome).filter((key) => key.startsWith('40'))).toEqual([])
  expect(await sql`select * from private.check_books()`).toEqual([])
})
