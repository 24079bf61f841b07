// The books as people, the public and staff see them: a statement, the previous day's figures, every transfer.
// Proves BOOKS 01-03
import { describe, expect, test } from 'vitest'
import { ageMoney, moveCoins } from '../coins.ts'
import {
  addPeople,
  addPerson,
  addStaff,
  DENIED,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
} from '../people.ts'
import { setTheTable } from '../plans.ts'

const { db } = await ownDatabase()

const HOUR = 3_600_000
const day = (days: number, hours = 0) => new Date(Date.now() + (24 * days + hours) * HOUR).toISOString()

describe('the statement of a wallet', () => {
  const statement = async (person: Person, from: string | null, until: string) => {
    const [row] = await person.sql<{ data: object }>`select wallet_statement(${from}, ${until}) as data`
    return row?.data
  }

  test('has what was there before, each movement with what it was for and by whom, and what is left', async () => {
    const [olivia, zoe] = await addPeople(db, ['Olivia', 'Zoe'])
    const ada = await addStaff(db, 'Ada', 'admin')
    await moveCoins(db, olivia, 'earned', 30, 'Old share')
    await moveCoins(db, olivia, 'spent', 0.1, 'Old treat')
    await ageMoney(db, '40 days')
    await moveCoins(db, zoe, 'earned', 99)
    await moveCoins(db, olivia, 'earned', 4.4, 'New share')
    await ada.sql`select adjust_wallet(${olivia.id}, -2.3, 'Counted twice')`
    const at = expect.any(String)
    expect(await statement(olivia, day(-20), day(1))).toEqual({
      ...{ opening: 29.9, closing: 32, firstAt: at },
      movements: [
        { at, kind: 'adjustment', amount: 4.4, balance: 34.3, description: 'New share', by: null },
        {
          ...{ at, kind: 'adjustment', amount: -2.3, balance: 32, by: 'Ada' },
          description: 'Admin adjustment: Counted twice',
        },
      ],
    })
    expect(await statement(olivia, day(-41), day(-20))).toMatchObject({ opening: 0, closing: 29.9 })
    const nothing = { opening: 0, closing: 0, movements: [] }
    expect(await statement(olivia, day(-130), day(-100))).toMatchObject(nothing)
  })

  test('is empty for who never had a coin, and covers at most a month', async () => {
    const nina = await addPerson(db, 'Nina')
    const none = { opening: 0, closing: 0, firstAt: null, movements: [] }
    expect(await statement(nina, day(-31, 1), day(1))).toEqual(none)
    const now = day(0)
    for (const [from, until] of [
      [now, now],
      [day(1), day(0)],
      [day(0), day(32, 1)],
      ['-infinity', day(0)],
      [day(0), 'infinity'],
      [null, day(0)],
    ] as const)
      expect(await refusalOf(statement(nina, from, until))).toEqual(rule('A statement covers up to a month'))
  })
})

describe('the public books', () => {
  test('are those of the day before, sum to zero, and tell no small count', async () => {
    const { db, sql, VISITOR } = await ownDatabase()
    const books = async () => (await VISITOR.sql`select * from public_books()`)[0]
    expect(await books()).toBeUndefined()
    const people = await addPeople(db, ['Ann', 'Ben', 'Cleo', 'Dan', 'Eve'])
    for (const person of people) await moveCoins(db, person, 'earned', 10)
    await sql`select private.close_day()`
    expect(await books()).toMatchObject({ owed: '0.00', balanced: true })
    await sql`delete from private.daily_books`
    // Writes transfers of every kind directly, without a payment. This makes the books wrong, but tests the figures of
    // each kind.
    const move = (key: string, from: string, to: string, amount: number, kind: string) =>
      db.query(
        `select private.transfer($1, private.ledger_account(${from}), private.ledger_account(${to}), $2, $3)`,
        [key, String(amount), kind],
      )
    const seat = `'held_share', '${people[0].id}'`
    await move('paid', `'outside'`, seat, 9, 'payment')
    await move('fee', seat, `'fees'`, 1, 'fee')
    await move('back', seat, `'refunds_due'`, 2, 'refund')
    await move('sent', `'refunds_due'`, `'outside'`, 0.5, 'refund-sent')
    await move('cost', `'costs'`, `'outside'`, 0.25, 'cost')
    await ageMoney(db, '1 day')
    for (const person of people.slice(1)) await moveCoins(db, person, 'earned', 3)
    for (let calls = 0; calls < 3; calls += 1) await sql`select private.close_day()`
    expect(await books()).toEqual({
      day: day(-1).slice(0, 10),
      ...{ held: '6.00', owed: '50.00', going_back: '1.50', fees: '1.00', corrections: '-50.25' },
      ...{ outside: '-8.25', total: '0.00', given_back: '2.00', seats: null, wallets: 5, balanced: false },
      ...{ problems: null, fixed: null, paid_back: null, unfounded: null, hours_to_money: null },
      checked_at: expect.any(String),
    })
    expect(await sql`select count(*)::int as days from private.daily_books`).toEqual([{ days: 1 }])
  })

  test('count what did not work by the end of the day before, how it ended, and how soon money was back', async () => {
    const { db, sql, VISITOR } = await ownDatabase({ sheltered: true })
    const { marc } = await setTheTable(db)
    const add = (count: number, hours: number, outcome: string | null, daysAgo = 2) =>
      sql`insert into seat_problems (seat_id, payment_id, subscription_id, plan_name, owner_id, member_id, reason, reported_at, status,
          due_at, outcome, lost_until, closed_at)
        select s.id, m.id, s.subscription_id, 'Netflix', s.owner_id, s.member_id, 'password', since.at,
          case when ${outcome}::text is null then 'owner' else 'closed' end, case when ${outcome}::text is null then now() end, ${outcome},
          case when ${outcome} = 'owner-silent' then 'infinity' when ${outcome}::text is not null then since.at end,
          case when ${outcome}::text is not null then since.at + ${hours} * interval '1 hour' end
        from private.seats as s join member_payments as m on m.seat_id = s.id, generate_series(1, ${count}),
          (select date_trunc('day', now() at time zone 'utc') at time zone 'utc' - ${daysAgo} * interval '1 day' as at) as since
        where s.member_id = ${marc.id}`
    await add(6, 3, 'fixed')
    await add(3, 24, 'owner-silent')
    await add(2, 26, 'owner-silent')
    await add(4, 1, 'withdrawn')
    await add(1, 0, null)
    // Reported today and closed today, so it is not in yesterday's figures.
    await add(20, 0, 'fixed', 0)
    await sql`select private.close_day()`
    expect((await VISITOR.sql`select * from public_books()`)[0]).toMatchObject({
      ...{ problems: 16, fixed: 6, paid_back: 5, unfounded: null, hours_to_money: '24.0' },
    })
  })
})

test('staff sees all transfers, newest first, by person, kind, plan and time, page after page', async () => {
  const [olivia, marc] = await addPeople(db, ['Olivia', 'Marc'])
  const ada = await addStaff(db, 'Ada', 'admin')
  await moveCoins(db, olivia, 'earned', 1, 'First')
  await ageMoney(db, '10 days')
  await moveCoins(db, olivia, 'refunded', 2, 'Second')
  await moveCoins(db, marc, 'earned', 3, 'Third')
  await ada.sql`select adjust_wallet(${olivia.id}, 4, 'Fourth')`
  const list = (filter: string, values: (string | null)[] = []) =>
    ada.run<{ id: string; created_at: string; description: string }>(
      `select * from list_transfers(${filter})`,
      values,
    )
  const FOURTH = 'Admin adjustment: Fourth'
  for (const [filter, found] of [
    [`p_person => '${olivia.id}'`, [FOURTH, 'Second', 'First']],
    [`p_person => '${olivia.id}', p_kind => 'adjustment'`, [FOURTH, 'First']],
    [`p_person => '${olivia.id}', p_until => now() - interval '1 day'`, ['First']],
    [`p_person => '${marc.id}', p_from => now() - interval '1 day'`, ['Third']],
    [`p_subscription_id => 'none'`, []],
  ] as const)
    expect((await list(filter)).map(({ description }) => description)).toEqual(found)
  const all = await list('')
  expect(all.slice(0, 3).map(({ description }) => description)).toEqual([FOURTH, 'Third', 'Second'])
  const paged: typeof all = []
  for (let more = true; more; ) {
    const after = paged.at(-1)
    const place = [after?.created_at ?? null, after?.id ?? null].map((value) => value && String(value))
    const page = await list('p_before => $1, p_before_id => $2, p_limit => 2', place)
    paged.push(...page)
    more = page.length > 0
  }
  expect(paged).toEqual(all)
  expect(all[0]).toMatchObject({
    ...{ kind: 'adjustment', amount: '4.00', from_kind: 'adjustments', to_kind: 'wallet' },
    ...{ person_id: olivia.id, person_name: 'Olivia', plan_name: null, moved_by: 'Ada' },
  })
  expect(await refusalOf(marc.sql`select * from list_transfers()`)).toMatchObject(DENIED)
})
