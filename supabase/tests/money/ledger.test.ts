// The ledger: one way to move money, exactly once and permanently; how errors in the books are reported; and concurrent
// transfers.
// Proves LEDG 01-04 06
import { randomUUID } from 'node:crypto'
import { asCaller } from '@potluck/server/db/as-caller.ts'
import { describe, expect, test } from 'vitest'
import { moveCoins } from '../coins.ts'
import { addPeople, addPerson, DENIED, denied, ownDatabase, refusalOf, rule, taken } from '../people.ts'
import { race, times } from '../race.ts'

const { db, sql } = await ownDatabase()

/** A key, two accounts as SQL names them, an amount and a kind. */
type Move = [key: string, from: string, to: string, amount: string | null, kind?: string]
const transfer = async (...[key, from, to, amount, kind = 'payment']: Move) =>
  (
    await db.query<{ id: string; amount: string }>(
      `select id, amount from private.transfer($1, ${from}, ${to}, $2, $3, p_description => 'A test')`,
      [key, amount, kind],
    )
  )[0]
const transferAll = (...moves: Move[]) =>
  db.query(
    `select private.transfer_all(array[${moves.map(
      ([key, from, to], place) =>
        `('${key}', ${from}, ${to}, $${place * 2 + 1}, $${place * 2 + 2}, null, null, 'A test')`,
    )}]::private.move[])`,
    moves.flatMap(([, , , amount, kind = 'payment']) => [amount, kind]),
  )
const account = (kind: string, owner?: { id: string }) =>
  `private.ledger_account('${kind}'${owner ? `, '${owner.id}'` : ''})`
const faults = () => sql`select * from private.check_ledger()`
const transfers = () => sql`select count(*)::int as rows from private.ledger_transfers`
const OUTSIDE = account('outside')
const FEES = account('fees')
/** Invalid amounts of money. */
const AMOUNTS = ['0', '-1', '0.001', '1e308', 'NaN', 'Infinity', null]

describe('a transfer', () => {
  test('writes both sides with what was there before and after, and the coins people see', async () => {
    const olivia = await addPerson(db, 'Olivia')
    await moveCoins(db, olivia, 'earned', 5)
    const second = await transfer('second', OUTSIDE, account('wallet', olivia), '2.5', 'earning')
    const side = { newest: true, current: true, key: 'second', person_id: olivia.id }
    expect(
      await sql`select a.kind, e.amount, e.balance_after - e.balance_before as step, e.version = a.version as newest,
          e.balance_after = a.balance as current, t.key, t.person_id
        from private.ledger_entries as e join private.ledger_accounts as a on a.id = e.account_id
        join private.ledger_transfers as t on t.id = e.transfer_id where t.id = ${second?.id} order by a.kind`,
    ).toEqual([
      { ...side, kind: 'outside', amount: '-2.50', step: '-2.50' },
      { ...side, kind: 'wallet', amount: '2.50', step: '2.50' },
    ])
    expect(await olivia.sql`select coin_balance, total_earned from user_wallets`).toEqual([
      { coin_balance: '7.50', total_earned: '7.50' },
    ])
    expect(await faults()).toEqual([])
  })

  test('of a known key moves nothing and is the first one, unless amount or accounts differ', async () => {
    const first = await transfer('once', OUTSIDE, FEES, '3', 'fee')
    expect(await transfer('once', OUTSIDE, FEES, '3.00', 'fee')).toEqual(first)
    for (const [from, to, amount] of [
      [OUTSIDE, FEES, '4'],
      [FEES, OUTSIDE, '3'],
      [OUTSIDE, account('costs'), '3'],
    ] as const)
      expect(await refusalOf(transfer('once', from, to, amount, 'fee'))).toEqual(
        taken('Another transfer has this key'),
      )
    expect(await sql`select amount from private.ledger_transfers where key = 'once'`).toEqual([
      { amount: '3.00' },
    ])
  })

  type Refused = [
    what: string,
    from: string,
    to: string,
    amount: string | null,
    kind: string,
    refusal: object,
  ]
  const INVALID = rule('Please enter a valid amount')
  const ACCOUNTS = rule('Money moves between two accounts')
  const BELOW = rule('The balance cannot go below zero')
  test.each<Refused>([
    ...AMOUNTS.map((amount): Refused => [`${amount}`, OUTSIDE, FEES, amount, 'fee', INVALID]),
    ['one account', OUTSIDE, OUTSIDE, '1', 'fee', ACCOUNTS],
    ['what is no account', '0', OUTSIDE, '1', 'fee', ACCOUNTS],
    ['an unknown kind', OUTSIDE, FEES, '1', 'gift', { code: '23514' }],
    ['an empty wallet', account('wallet', { id: randomUUID() }), OUTSIDE, '1', 'withdrawal', BELOW],
    ['an empty account of the site', account('refunds_due'), OUTSIDE, '1', 'withdrawal', BELOW],
  ])('of %s is refused', async (_what, from, to, amount, kind, refusal) => {
    const before = await transfers()
    const owner = /wallet', '(.*)'/.exec(from)?.[1]
    if (owner) await sql`insert into auth.users (id, email) values (${owner}, 'marc@potluck.example')`
    expect(await refusalOf(transfer('odd', from, to, amount, kind))).toMatchObject(refusal)
    expect([await transfers(), await faults()]).toEqual([before, []])
  })
})

describe('many transfers at once', () => {
  test('leave what they leave one by one, accounts and people met twice included', async () => {
    const left = async (how: 'one' | 'all') => {
      const [olivia, marc] = await addPeople(db, ['Olivia', 'Marc'])
      const moves: Move[] = [
        [`${how} 1`, OUTSIDE, account('wallet', olivia), '5.00', 'earning'],
        [`${how} 2`, OUTSIDE, FEES, '0.50', 'fee'],
        [`${how} 3`, OUTSIDE, account('wallet', marc), '0.01', 'refund'],
        [`${how} 4`, FEES, account('wallet', olivia), '0.25', 'refund'],
        [`${how} 5`, OUTSIDE, account('wallet', olivia), '100000.00', 'earning'],
      ]
      if (how === 'all') await transferAll(...moves)
      else for (const move of moves) await transfer(...move)
      expect(await faults()).toEqual([])
      return [
        await sql`select substr(t.key, 5) as key, t.amount, t.kind, t.description, a.kind as account, e.amount as step,
            e.balance_after - e.balance_before as change, case when a.owner is not null then e.balance_after end as balance,
            t.person_id = a.owner as theirs, e.created_at = t.created_at as together
          from private.ledger_transfers as t join private.ledger_entries as e on e.transfer_id = t.id
          join private.ledger_accounts as a on a.id = e.account_id where t.key like ${`${how} _`} order by t.key, e.amount`,
        await sql`select transaction_type, amount, description from coin_transactions where user_id = ${olivia.id} order by created_at`,
        await sql`select coin_balance, total_earned, total_withdrawn from user_wallets
          where user_id in (${olivia.id}, ${marc.id}) order by coin_balance`,
        await sql`select count(distinct created_at)::int as times from coin_transactions where user_id = ${olivia.id}`,
      ]
    }
    expect(await left('all')).toEqual(await left('one'))
  })

  test('move nothing where one of them is none, is known, or an account would fall below zero', async () => {
    await transfer('known', OUTSIDE, FEES, '1', 'fee')
    const wallet = account('wallet', await addPerson(db, 'Olivia'))
    const before = await transfers()
    const ODD = rule('Money moves between two accounts, in whole cents')
    const odd: [Move, object][] = [
      ...AMOUNTS.map((amount): [Move, object] => [['odd', OUTSIDE, FEES, amount, 'fee'], ODD]),
      [['odd', wallet, FEES, '1', 'payment'], ODD],
      [['odd', FEES, FEES, '1', 'fee'], ODD],
      [['odd', FEES, '0', '1', 'fee'], ODD],
      [['known', OUTSIDE, FEES, '1', 'fee'], { code: '23505' }],
      [['more', account('refunds_due'), OUTSIDE, '1', 'refund-sent'], { code: '23514' }],
    ]
    for (const [move, refusal] of odd)
      expect(await refusalOf(transferAll(['good', OUTSIDE, FEES, '1', 'fee'], move))).toMatchObject(refusal)
    expect([await transfers(), await faults()]).toEqual([before, []])
  })
})

test('nothing of the ledger is changed, removed or emptied, not even by the service or the owner', async () => {
  await transfer('kept', OUTSIDE, FEES, '1', 'fee')
  const service = { role: 'service_role', claims: '{"role":"service_role"}' }
  for (const table of ['private.ledger_transfers', 'private.ledger_entries'])
    for (const text of [
      `update ${table} set amount = 2`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
    ]) {
      expect(await refusalOf(asCaller(db, service, [{ text }]))).toMatchObject(DENIED)
      expect(await refusalOf(db.query(text))).toEqual(denied('The ledger is never rewritten'))
    }
})

describe('the check of the books', () => {
  const loose =
    'alter table private.ledger_entries disable trigger keep; alter table private.ledger_transfers disable trigger keep;'
  const free = 'alter table private.ledger_accounts drop constraint only_some_accounts_fall_below_zero;'
  const last = '(select max(transfer_id) from private.ledger_entries)'
  const fees = (changes: string) => `update private.ledger_accounts set ${changes} where kind = 'fees'`
  const shift = 'set balance_before = balance_before + 1, balance_after = balance_after + 1'
  const richer = 'update user_wallets set coin_balance = coin_balance + 1'
  test.each([
    ['The balances do not add up to zero', fees('balance = balance + 1')],
    ['An account does not equal its entries', fees('balance = balance + 1')],
    ['An account does not equal its entries', fees('version = version + 1')],
    ['An account is below zero', `${free} ${fees('balance = -1')}`],
    [
      'A transfer does not equal its entries',
      `${loose} update private.ledger_transfers set amount = 9 where id = ${last}`,
    ],
    [
      'A transfer does not equal its entries',
      `${loose} delete from private.ledger_entries where transfer_id = ${last} and amount > 0`,
    ],
    [
      'An entry does not go on from the one before',
      `${loose} update private.ledger_entries ${shift} where transfer_id = ${last}`,
    ],
    ['A wallet does not equal the ledger', richer],
    ['A wallet does not equal its coins', richer],
    ['A wallet does not equal its coins', 'delete from coin_transactions'],
  ])('says: %s', async (fault, damage) => {
    await moveCoins(db, await addPerson(db, 'Nina'), 'earned', 3)
    for (const _twice of [1, 2]) await transfer(randomUUID(), OUTSIDE, FEES, '3', 'fee')
    expect(await faults()).toEqual([])
    const found = db.transaction(async (tx) => {
      await tx.script(damage)
      throw await tx.query('select fault from private.check_ledger()')
    })
    expect(await found.catch((rows: unknown) => rows)).toContainEqual({ fault })
  })
})

describe('transfers that meet', () => {
  test('to and fro between twenty accounts do not block each other, and the books balance', async () => {
    // Ten wallets and ten seats, each with enough money for the transfers in any order.
    const count = 1_000
    const wallets = await addPeople(db, Array<string>(10).fill('Olivia'))
    for (const person of wallets) await moveCoins(db, person, 'earned', count)
    const accounts = await db.query<{ id: string }>(
      `select private.ledger_account('wallet', id::uuid) as id from unnest($1::text[]) as id
       union all select private.ledger_account('held_share', gen_random_uuid()) from generate_series(1, 10)`,
      [`{${wallets.map(({ id }) => id)}}`],
    )
    const ids = accounts.map(({ id }) => id)
    for (const id of ids.slice(10)) await transfer(`filled ${id}`, OUTSIDE, id, String(count))
    const step = (n: number) => {
      const pair = [ids[n % 10], ids[10 + (Math.floor(n / 10) % 10)]]
      // A payment from the wallet to the seat, or a refund to the wallet.
      const [from, to] = n % 3 === 0 ? pair : pair.toReversed()
      const kind = n % 3 === 0 ? 'payment' : 'payment-returned'
      return sql`select private.transfer(${`step ${n}`}, ${from}, ${to}, ${1 + (n % 2)}, ${kind})`
    }
    // Ten workers at the same time, each on its own connection.
    let next = 0
    const worker = async () => {
      while (next < count) await step(next++)
    }
    expect(await race(times(10, worker))).toEqual({ done: 10 })
    expect(await faults()).toEqual([])
    expect(
      await sql`select count(*)::int as n from private.ledger_transfers where key like 'step %'`,
    ).toEqual([{ n: count }])
  })

  test('are sealed once each, also those that are committed later than younger ones', async () => {
    const accounts = await db.query<{ id: string }>(
      'select private.ledger_account($1, gen_random_uuid()) as id from generate_series(1, 4)',
      ['held_share'],
    )
    const [slow = '', target = '', from = '', to = ''] = accounts.map(({ id }) => String(id))
    for (const id of [slow, from]) await transfer(`filled ${id}`, OUTSIDE, id, '100')
    const seal = () => sql`select private.seal_transfers()`
    const unsealed = () => sql`select t.key from private.ledger_transfers as t
      left join private.ledger_seals as s on s.transfer_id = t.id where s.line is null`
    await seal()
    const outcome = race([
      () =>
        db.transaction(async (tx) => {
          await tx.query("select private.transfer('slow', $1, $2, 1, 'payment')", [slow, target])
          await tx.query('select pg_sleep(0.5)')
        }),
      ...times(3, async () => {
        for (let n = 0; n < 20; n += 1) {
          await transfer(randomUUID(), from, to, '1')
          await seal()
        }
      }),
    ])
    expect(await outcome).toEqual({ done: 4 })
    for (const _again of [1, 2, 3]) await seal()
    expect(await unsealed()).toEqual([])
    expect(await sql`select * from private.check_seals()`).toEqual([])
  })

  test('under one key, fifty times at once, move money once', async () => {
    const olivia = await addPerson(db, 'Olivia')
    const wallet = account('wallet', olivia)
    await db.query(`select ${wallet}`)
    expect(await race(times(50, () => transfer('same', OUTSIDE, wallet, '5', 'earning')))).toEqual({
      done: 50,
    })
    expect(await olivia.sql`select coin_balance from user_wallets`).toEqual([{ coin_balance: '5.00' }])
  })

  test('of people who withdraw, spend, are adjusted and leave at once never wait in a circle', async () => {
    const people = await addPeople(db, Array<string>(10).fill('Marc'))
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
    expect(await faults()).toEqual([])
  })
})
