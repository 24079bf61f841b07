// Own plans, of services that are not in the catalogue: what can be shared, who pays what and when, and that nothing of it reaches the
// marketplace, anybody's standing or savings.
//
// | who                             | may                                        | may not                                        |
// |---------------------------------|--------------------------------------------|------------------------------------------------|
// | owner                           | name any service, price and cycle          | list it, charge cards, fees, instant places     |
// | owner who raises the price      | ask each member                            | charge a member who is silent or declines      |
// | owner who lowers it             | tell each member                           | keep the old share from the next period on     |
// | member who joins within a cycle | pay for the days that are left             | be asked for a day before they joined          |
// | member who is removed           | get back what is unused                    |                                                |
// | member who leaves               |                                            | get anything back                              |
// | stranger                        | find it by its link                        | find it in the market, or by its provider      |
// | owner with a second account     |                                            | make standing, reviews, precedence or savings  |
// | owner of a provider that is off |                                            | share it under the provider's name or website  |
import { describe, expect, test } from 'vitest'
import { columnOf, expectRefusal, rule, single } from '../answers.ts'
import { addPerson, addStaff, ownDatabase, type Person } from '../people.ts'
import { ask, found, sayHowPaid } from '../plans.ts'

const { db, sql } = await ownDatabase()

interface Terms {
  price?: string
  months?: number
  people?: number
  renewal?: string
}
/** Shares an own plan, and returns its id. */
const share = (
  owner: Person,
  { price = '10.00', months = 1, people = 3, renewal }: Terms = {},
  more = {},
) => {
  const row = {
    ...{ provider: 'Kagi', name: 'Family', total_price: price, cycle_months: String(months) },
    ...{ max_members: String(people), next_payment: renewal ?? today(), ...more },
  }
  const columns = Object.keys(row)
  return single(
    owner.run(
      `insert into shared_subscriptions (${columns}) values (${columns.map((_, at) => `$${at + 1}`)}) returning id`,
      Object.values(row),
    ),
  )
}
const today = () => new Date(Date.now() + ahead).toISOString().slice(0, 10)

let ahead = 0
/** Moves the site's clock to the noon of a day, and does all work that is due. */
async function reach(day: string) {
  ahead = Date.parse(`${day}T12:00:00Z`) - Date.now()
  await sql`update private.clock set ahead = ${`${day}T12:00:00Z`}::timestamptz - now()`
  while (Number(await single(sql`select private.run_due_work()`)) > 0);
}

/** Opens the plan's link, which makes it visible. */
const find = async (person: Person, id: string, owner: Person) =>
  person.sql`select open_plan_link(${await single(owner.sql`select get_plan_link(${id})`)})`

async function join(person: Person, id: string, owner: Person) {
  await find(person, id, owner)
  const request = await ask(db, person, { id, owner })
  await owner.sql`select approve_subscription_request(${request}, ${id})`
}
async function owners() {
  const olivia = await addPerson(db, 'Olivia')
  await sayHowPaid(olivia)
  return olivia
}

describe('an own plan', () => {
  test('is completed by the database: private, direct, without a fee, and with room for all', async () => {
    const olivia = await owners()
    const id = await share(
      olivia,
      { price: '47.99', months: 3, people: 6 },
      { note: ' Ask me ', website: 'https://kagi.com' },
    )
    const [plan] =
      await olivia.sql`select catalogue_plan_id, member_price, monthly_cost, billing_cycle, cycle_months, is_private, status,
      settlement, fee_rate, owner_max_members, category, note, website, anchor = next_payment as counts_from_there
      from shared_subscriptions where id = ${id}`
    expect(plan).toMatchObject({
      ...{ catalogue_plan_id: 'own', member_price: '7.99', monthly_cost: '2.66', billing_cycle: 'months' },
      ...{ cycle_months: 3, is_private: true, status: 'active', settlement: 'direct', fee_rate: '0' },
      ...{ owner_max_members: 6, category: 'other', note: 'Ask me', website: 'https://kagi.com' },
      counts_from_there: true,
    })
    const zoe = await addPerson(db, 'Zoe')
    expect((await found(zoe, 'p_full => true')).size).toBe(0)
    expect(await zoe.sql`select provider from count_available_plans()`).toEqual([])
    expect(await single(zoe.sql`select market_plan(${id}) ->> 'cycleMonths'`)).toBeNull()
    await find(zoe, id, olivia)
    expect(await single(zoe.sql`select market_plan(${id}) ->> 'cycleMonths'`)).toBe('3')
    const quote = await single<Record<string, unknown>>(zoe.sql`select quote_plan(${id})`)
    expect(quote).toMatchObject({ sum: 7.99, fee: 0, cycleMonths: 3, first: 7.99, instalments: null })
    // Plans of one provider in the catalogue exclude each other; own plans do not, nor do they exclude those.
    const omar = await owners()
    await share(omar, {}, { provider: 'Netflix', name: 'Premium' })
    await share(omar, {}, { provider: 'Netflix', name: 'Premium' })
    await omar.sql`insert into shared_subscriptions (catalogue_plan_id, owner_max_members, next_payment)
      values ('netflix-premium', 4, current_date + 30)`
  })

  const NAME = rule('Please name the service and the plan, with up to 100 characters each.')
  const PRICE = rule('Please enter a price up to 100000, with 2 decimals at most.')
  const DIRECT = rule('This plan is paid directly to its owner.')
  test.each([
    [{}, { provider: ' ' }, NAME],
    [{}, { name: '\u200b' }, NAME],
    [{}, { provider: 'x'.repeat(101) }, NAME],
    [{ price: '0' }, {}, PRICE],
    [{ price: '-5' }, {}, PRICE],
    [{ price: '100000.01' }, {}, PRICE],
    [
      { price: '10.5' },
      { currency: 'JPY' },
      rule('Please enter a price up to 100000000, with 0 decimals at most.'),
    ],
    [{}, { currency: 'KWD' }, rule('This currency isn’t known here.')],
    [{}, { currency: 'XXX' }, rule('This currency isn’t known here.')],
    [{ months: 0 }, {}, rule('One payment covers 1 to 60 months.')],
    [{ months: 61 }, {}, rule('One payment covers 1 to 60 months.')],
    [{ people: 1 }, {}, rule('A plan is shared by 2 to 50 people.')],
    [{ people: 51 }, {}, rule('A plan is shared by 2 to 50 people.')],
    [{ renewal: '2020-01-01' }, {}, rule('Renewal date cannot be in the past.')],
    [{}, { settlement: 'potluck' }, DIRECT],
    [{}, { instant_from: 'new' }, DIRECT],
    [{}, { catalogue_plan_id: 'netflix-premium' }, rule('A plan’s price and terms are set by its provider')],
    [{}, { website: 'http://kagi.com' }, rule('Please enter a website that begins with https://')],
    [{}, { website: 'https://user@kagi.com' }, rule('Please enter a website that begins with https://')],
    [{}, { note: 'x'.repeat(501) }, rule('Please use up to 500 characters')],
  ] as const)('is refused with %o %o', async (terms, more, refusal) => {
    await expectRefusal(share(await owners(), terms, more), refusal)
  })

  test('begins within one cycle', async () => {
    const olivia = await owners()
    const after = (days: number) =>
      new Date(Date.now() + ahead + days * 86_400_000).toISOString().slice(0, 10)
    await expectRefusal(
      share(olivia, { renewal: after(32) }),
      rule('The next payment day lies within the first cycle.'),
    )
    await share(olivia, { renewal: after(80), months: 3 })
  })

  test('cannot be listed, charged by card, opened to strangers at once or moved to another day', async () => {
    const olivia = await owners()
    const id = await share(olivia)
    const set = (what: string) => olivia.run(`update shared_subscriptions set ${what} where id = '${id}'`)
    await expectRefusal(
      set('is_private = false'),
      rule('Plans of services that aren’t in the catalogue stay private.'),
    )
    await expectRefusal(set("instant_from = 'new'"), DIRECT)
    await expectRefusal(
      set('next_payment = next_payment + 1'),
      rule('The payment day of this plan can’t change, because all its members pay on it.'),
    )
    await expectRefusal(olivia.sql`select propose_terms(${id}, 'potluck')`, DIRECT)
    // The table itself refuses what the server does as well.
    for (const what of [
      'is_private = false',
      "settlement = 'potluck'",
      'cycle_months = null',
      'fee_rate = 0.1',
    ])
      await expectRefusal(
        sql`select 1`.then(() =>
          db.query(`update public.shared_subscriptions set ${what} where id = '${id}'`),
        ),
        {
          code: expect.stringMatching(/23514|23502|42501/) as unknown as string,
        },
      )
  })

  test('is one of fifty at most', async () => {
    const olivia = await owners()
    await sql`alter table public.shared_subscriptions disable trigger fill`
    await sql`insert into public.shared_subscriptions (id, catalogue_plan_id, owner_id, owner, provider, name, category, total_price, member_price, billing_cycle,
        cycle_months, anchor, max_members, owner_max_members, provider_max_members, current_members, status, is_private, fee_rate)
      select 'sub-own-' || n, 'own', ${olivia.id}, 'olivia', 'Kagi', 'Family', 'other', 10, 5, 'months', 1, current_date, 2, 2, 2, 1, 'active', true, 0
      from generate_series(1, 50) as n`
    await sql`alter table public.shared_subscriptions enable trigger fill`
    await expectRefusal(share(olivia), rule('You can share up to 50 plans that aren’t in the catalogue.'))
  })

  test('is refused under the name or website of a provider that is off', async () => {
    const ada = await addStaff(db, 'Ada', 'admin')
    await ada.sql`insert into provider_rules (provider, rule, reason, ground, clause) values ('Netflix', 'off', 'Its terms', 'provider', '4.2')`
    const olivia = await owners()
    const closed = {
      code: '23514',
      message: expect.stringContaining('is not available right now') as unknown as string,
    }
    await expectRefusal(share(olivia, {}, { provider: 'netflix' }), closed)
    await expectRefusal(share(olivia, {}, { website: 'https://www.netflix.com/de' }), closed)
    await share(olivia, {}, { website: 'https://notnetflix.com' })
    await ada.sql`delete from provider_rules`
  })
})

describe('the price', () => {
  test('asks each member if it rises, is theirs at once if it falls, and rejects who asked for less', async () => {
    const olivia = await owners()
    const [marc, nora, zoe] = await Promise.all(['Marc', 'Nora', 'Zoe'].map((name) => addPerson(db, name)))
    if (!marc || !nora || !zoe) throw new Error('Somebody is missing')
    const id = await share(olivia, { price: '12.00', people: 4 })
    await join(marc, id, olivia)
    await join(nora, id, olivia)
    await find(zoe, id, olivia)
    const asked = await ask(db, zoe, { id, owner: olivia })
    const news = (who: Person) =>
      columnOf(
        who.sql`select message from user_notifications where event in ('share-proposed', 'share-lowered') order by created_at`,
      )
    const shareOf = (who: Person) => single(who.sql`select share from my_seats()`)

    await expectRefusal(marc.sql`select propose_shares(${id}, 20)`, { code: '42501' })
    expect(Number(await single(olivia.sql`select propose_shares(${id}, 12)`))).toBe(0)
    expect(await news(marc)).toEqual([])
    expect(Number(await single(olivia.sql`select propose_shares(${id}, 20)`))).toBe(2)
    expect(await single(zoe.sql`select status from subscription_requests where id = ${asked}`)).toBe(
      'rejected',
    )
    expect(await news(marc)).toEqual([
      'The owner of Kagi Family proposes €5.00 every month as your share. Nothing changes unless you accept.',
    ])
    const proposal = await single(marc.sql`select id from term_proposals where answered_at is null`)
    const quote = await single<object>(marc.sql`select quote_terms(${proposal})`)
    expect(quote).toMatchObject({ sum: 5, cycleMonths: 1 })
    await marc.sql`select answer_terms(${proposal}, true)`
    expect([await shareOf(marc), await shareOf(nora)]).toEqual(['5.00', '3.00'])
    // Nora, who has not answered, is asked for less, then pays less.
    expect(Number(await single(olivia.sql`select propose_shares(${id}, 16)`))).toBe(1)
    expect([await shareOf(marc), await shareOf(nora)]).toEqual(['4.00', '3.00'])
    expect(Number(await single(olivia.sql`select propose_shares(${id}, 8)`))).toBe(0)
    expect([await shareOf(marc), await shareOf(nora)]).toEqual(['2.00', '2.00'])
    expect((await news(nora)).at(-1)).toBe(
      'Your share of Kagi Family is €2.00 every month from the next payment on.',
    )
    expect(await nora.sql`select id from term_proposals where answered_at is null`).toEqual([])
  })

  test('is divided by amounts, by percent, or carried by another, and never by more than there is', async () => {
    const olivia = await owners()
    const [marc, nora, zoe] = await Promise.all(['Marc', 'Nora', 'Zoe'].map((name) => addPerson(db, name)))
    if (!marc || !nora || !zoe) throw new Error('Somebody is missing')
    const id = await share(olivia, { price: '12.00', people: 4 })
    for (const member of [marc, nora]) await join(member, id, olivia)
    const seatOf = async (who: Person) => single(who.sql`select id from my_seats()`)
    const [his, hers] = [await seatOf(marc), await seatOf(nora)]
    const divide = (division: string, parts: object, price = '12.00') =>
      olivia.run('select propose_shares($1, $2, $3, $4)', [id, price, division, JSON.stringify(parts)])
    const shares = () =>
      columnOf(sql`select share from private.seats where subscription_id = ${id} order by opened_at`)

    const WRONG = rule('Please give each member a part, and nobody to carry who is carried.')
    for (const parts of [
      { [his]: { part: -1 } },
      { [his]: { part: 1.005 } },
      { [his]: { part: 'all' } },
      { [his]: 5 },
      { [zoe.id]: { part: 1 } },
      { [his]: { carriedBy: his } },
      { [his]: { carriedBy: zoe.id } },
      { [his]: { carriedBy: hers }, [hers]: { carriedBy: his } },
      [],
    ])
      await expectRefusal(divide('amount', parts), WRONG)
    await expectRefusal(divide('halves', {}), WRONG)
    const MUCH = rule('The shares are more than the price of €12.00.')
    await expectRefusal(divide('amount', { [his]: { part: 7 }, [hers]: { part: 5.01 } }), MUCH)
    await expectRefusal(divide('percent', { [his]: { part: 60 }, [hers]: { part: 50 } }), MUCH)
    expect(await shares()).toEqual(['3.00', '3.00'])

    // What is lower applies at once; what is higher is asked for, and until then Olivia bears the difference. Nora goes on paying until Marc
    // has said that he pays for her, and also if he does not want to.
    const carry = async (accepts: boolean) => {
      await divide('amount', { [his]: { part: 5 }, [hers]: { part: 2, carriedBy: his } })
      expect(await shares()).toEqual(['3.00', '3.00'])
      const proposal = await single(marc.sql`select id from term_proposals where answered_at is null`)
      const quote = await single<object>(marc.sql`select quote_terms(${proposal})`)
      expect(quote).toMatchObject({ sum: 7, carries: ['Nora'] })
      await marc.sql`select answer_terms(${proposal}, ${accepts})`
    }
    await carry(false)
    expect(await shares()).toEqual(['3.00', '3.00'])
    expect(await columnOf(olivia.sql`select carried_by from plan_seats(${id})`)).toEqual([null, null])
    await carry(true)
    expect(await shares()).toEqual(['7.00', '0.00'])
    expect(await olivia.sql`select share, part, carried_by from plan_seats(${id})`).toEqual([
      { share: '7.00', part: '5.00', carried_by: null },
      { share: '0.00', part: '2.00', carried_by: his },
    ])
    // Who joins now pays nothing before Olivia has given them a part.
    await join(zoe, id, olivia)
    expect(await single(zoe.sql`select status from member_payments`)).toBe('paid')
    // Marc leaves: Nora still pays nothing, and Olivia is told.
    await marc.sql`delete from subscription_members where subscription_id = ${id} and user_id = ${marc.id}`
    expect(await single(nora.sql`select share from my_seats()`)).toBe('0.00')
    expect(
      await columnOf(olivia.sql`select carried_by from plan_seats(${id}) where ended_at is null`),
    ).toEqual([null, null])
    expect(
      await columnOf(olivia.sql`select message from user_notifications where event = 'carrier-left'`),
    ).toEqual([
      'Marc has left Kagi Family and paid for others there. Until you divide the price again, that is yours to pay.',
    ])
    // Nora pays for Zoe and is asked for more; when Zoe leaves, Nora pays for herself alone, and is asked for nothing.
    const theirs = await seatOf(zoe)
    const answer = async () => {
      const open = await single(nora.sql`select id from term_proposals where answered_at is null`)
      await nora.sql`select answer_terms(${open}, true)`
    }
    await divide('amount', { [hers]: { part: 2 }, [theirs]: { part: 3, carriedBy: hers } })
    await answer()
    expect(await single(nora.sql`select share from my_seats()`)).toBe('5.00')
    await divide('amount', { [hers]: { part: 2 }, [theirs]: { part: 4, carriedBy: hers } })
    await zoe.sql`delete from subscription_members where subscription_id = ${id} and user_id = ${zoe.id}`
    expect(await single(nora.sql`select share from my_seats()`)).toBe('2.00')
    expect(await nora.sql`select id from term_proposals where answered_at is null`).toEqual([])
  })

  test('of a catalogue plan stays its provider’s', async () => {
    const olivia = await owners()
    const id =
      await single(olivia.sql`insert into shared_subscriptions (catalogue_plan_id, owner_max_members, next_payment)
      values ('netflix-premium', 4, current_date + 30) returning id`)
    await expectRefusal(
      olivia.sql`select propose_shares(${id}, 1)`,
      rule('A plan’s price and terms are set by its provider'),
    )
  })
})

test('a place is open at once, and nothing in it counts for anybody', async () => {
  const olivia = await owners()
  const marc = await addPerson(db, 'Marc')
  await reach('2027-01-10')
  const id = await share(olivia, { renewal: '2027-01-10' })
  await join(marc, id, olivia)
  const [seat] = await marc.sql`select id, status, access_works, access_due_at from my_seats()`
  expect(seat).toMatchObject({ status: 'active', access_works: true, access_due_at: null })
  const payment = await single(marc.sql`select id from member_payments where number = 1`)
  await marc.sql`select say_paid(${payment})`
  await olivia.sql`select confirm_payment(${payment})`
  await reach('2027-02-09')
  const home = await single<{ saved: object; tasks: { kind: string }[] }>(marc.sql`select my_home()`)
  expect(home.saved).toEqual({ joined: 0, shared: 0 })
  for (const person of [olivia, marc])
    expect(
      await person.run(
        'select hours_given, paid_on_time, paid_late, problems, answers from standing_of($1)',
        [`{${person.id}}`],
      ),
    ).toEqual([{ hours_given: 0, paid_on_time: 0, paid_late: 0, problems: 0, answers: 0 }])
  expect(await marc.sql`select seat_id from reviews_to_write()`).toEqual([])
  await expectRefusal(marc.run('select review_seat($1, 5)', [String(seat?.id)]), { code: '23514' })
  await olivia.sql`delete from shared_subscriptions where id = ${id}`
  expect(await marc.sql`select seat_id from my_precedence()`).toEqual([])
})

// ---------------------------------------------------------------- Recomputed by a calculator of its own
const DAY = 86_400_000
const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / DAY
const text = (number: number) => new Date(number * DAY).toISOString().slice(0, 10)
/** The day some months after another, or the last day of that month. */
function monthsAfter(from: string, months: number): string {
  const [year = 0, month = 1, date = 1] = from.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0))
  return text(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), Math.min(date, last.getUTCDate())) / DAY)
}

interface Member {
  joins: string
  leaves: string
  /** Whether the member accepts a higher share. */
  accepts: boolean
}
interface Story {
  currency: 'EUR' | 'GBP' | 'JPY'
  /** The first price, in the smallest unit of the currency. */
  cents: number
  months: number
  people: number
  anchor: string
  prices: Change[]
  members: Member[]
}
/** A new price; its division is equal, or gives parts to the members who are in by then, by their position. */
interface Change {
  on: string
  cents: number
  rule?: 'amount' | 'percent'
  parts?: Record<number, { part: number; carriedBy?: number }>
}
const END = '2029-02-15'
const STORIES: Story[] = [
  {
    ...{ currency: 'EUR', cents: 1000, months: 1, people: 3, anchor: '2027-01-31' },
    prices: [
      { on: '2027-06-10', cents: 1499 },
      { on: '2028-02-10', cents: 1101 },
    ],
    members: [
      { joins: '2027-01-31', leaves: END, accepts: true },
      { joins: '2027-03-17', leaves: '2028-05-05', accepts: false },
    ],
  },
  {
    ...{ currency: 'GBP', cents: 4799, months: 3, people: 6, anchor: '2027-03-30' },
    prices: [
      { on: '2027-09-02', cents: 5203 },
      { on: '2028-01-09', cents: 6001 },
      { on: '2028-07-07', cents: 4000 },
    ],
    members: [
      { joins: '2027-02-11', leaves: END, accepts: true },
      { joins: '2027-05-20', leaves: '2028-03-03', accepts: false },
      { joins: '2028-02-29', leaves: END, accepts: true },
      { joins: '2028-09-29', leaves: END, accepts: false },
    ],
  },
  {
    ...{ currency: 'JPY', cents: 11903, months: 12, people: 5, anchor: '2027-08-15' },
    prices: [{ on: '2027-12-01', cents: 13104 }],
    members: [
      { joins: '2027-02-20', leaves: END, accepts: false },
      { joins: '2027-08-15', leaves: END, accepts: true },
      { joins: '2028-08-14', leaves: END, accepts: true },
    ],
  },
  {
    ...{ currency: 'EUR', cents: 2099, months: 1, people: 4, anchor: '2027-02-10' },
    prices: [
      {
        on: '2027-04-20',
        cents: 2099,
        rule: 'amount',
        parts: { 0: { part: 9.5 }, 1: { part: 3 }, 2: { part: 2.25, carriedBy: 0 } },
      },
      { on: '2028-03-01', cents: 1200, rule: 'amount', parts: { 0: { part: 4.01 }, 1: { part: 5 } } },
    ],
    members: [
      { joins: '2027-02-01', leaves: '2028-08-08', accepts: true },
      { joins: '2027-02-11', leaves: END, accepts: false },
      { joins: '2027-03-10', leaves: '2028-01-30', accepts: false },
    ],
  },
  {
    ...{ currency: 'GBP', cents: 9999, months: 6, people: 3, anchor: '2027-05-31' },
    prices: [
      { on: '2027-07-01', cents: 9999, rule: 'percent', parts: { 0: { part: 33.33 }, 1: { part: 12.5 } } },
      { on: '2028-01-02', cents: 10999, rule: 'percent', parts: { 0: { part: 33.33 }, 1: { part: 12.5 } } },
      { on: '2028-09-09', cents: 10999 },
    ],
    members: [
      { joins: '2027-02-03', leaves: END, accepts: true },
      { joins: '2027-06-30', leaves: END, accepts: true },
    ],
  },
  {
    ...{ currency: 'JPY', cents: 1980, months: 1, people: 5, anchor: '2027-02-28' },
    prices: [
      {
        on: '2027-10-05',
        cents: 1980,
        rule: 'percent',
        parts: { 0: { part: 40 }, 1: { part: 15.15, carriedBy: 0 } },
      },
      { on: '2028-05-05', cents: 2101, parts: { 0: { part: 0 }, 1: { part: 0, carriedBy: 0 } } },
    ],
    members: [
      { joins: '2027-03-01', leaves: END, accepts: true },
      { joins: '2027-03-31', leaves: END, accepts: false },
    ],
  },
]

const unitsOf = ({ currency }: Story) => (currency === 'JPY' ? 1 : 100)

/** What a member pays: the cents of each period, and its first and last day. */
function expected(story: Story, who: number) {
  const { cents, months, people, anchor, prices, members } = story
  const { joins, leaves, accepts } = members[who] as Member
  const equal = (price: number) => Math.floor(price / people)
  const isIn = (at: number, on: string) =>
    (members[at]?.joins ?? '') <= on && on < (members[at]?.leaves ?? '')
  /** What a change gives a member, together with those they carry. */
  const given = ({ cents: price, rule, parts = {} }: Change, on: string) => {
    const own = (at: number) => {
      const part = parts[at]?.part ?? 0
      if (rule === undefined) return equal(price)
      return rule === 'amount'
        ? Math.round(part * unitsOf(story))
        : Math.floor((price * Math.round(part * 100)) / 10_000)
    }
    if (parts[who]?.carriedBy !== undefined) return 0
    const carried = Object.keys(parts)
      .map(Number)
      .filter((at) => parts[at]?.carriedBy === who && isIn(at, on))
    return carried.reduce((sum, at) => sum + own(at), own(who))
  }
  /** The days on which something is divided, and on which somebody leaves, whom another may have paid for. */
  const turns = [...prices.map((one) => one.on), ...members.map((one) => one.leaves)].sort()
  const shareOn = (on: string, was: number | null) => {
    const last = prices.filter((one) => one.on < on).at(-1)
    let share = was ?? (last?.rule ? 0 : equal(last?.cents ?? cents))
    for (const turn of turns.filter((one) => one > joins && one < on)) {
      const change = prices.filter((one) => one.on <= turn).at(-1)
      const next = change && given(change, turn)
      if (next !== undefined && (next < share || (accepts && change?.on === turn))) share = next
    }
    return share
  }
  const first = shareOn(joins, null)
  const paid: [cents: number, from: string, until: string][] = []
  let cycle = -1
  while (monthsAfter(anchor, (cycle + 1) * months) <= joins) cycle += 1
  const [begins, ends] = [monthsAfter(anchor, cycle * months), monthsAfter(anchor, (cycle + 1) * months)]
  const [left, all] = [day(ends) - day(joins), day(ends) - day(begins)]
  paid.push([Math.floor((2 * first * left + all) / (2 * all)), joins, ends])
  for (let from = ends; from <= leaves && from <= END; from = paid.at(-1)?.[2] ?? END) {
    cycle += 1
    paid.push([shareOn(from, first), from, monthsAfter(anchor, (cycle + 1) * months)])
  }
  return paid
}

test('24 months of six plans are what a calculator of its own expects, to the cent and to the day', async () => {
  const table = await Promise.all(
    STORIES.map(async (story) => ({
      story,
      owner: await owners(),
      id: '',
      people: await Promise.all(story.members.map((_member, at) => addPerson(db, `Member ${at}`))),
    })),
  )
  const events: { on: string; run: () => Promise<unknown> }[] = table.flatMap((one) => {
    const { story, owner, people } = one
    return [
      {
        on: '2027-01-31',
        run: async () => {
          const price = String(story.cents / unitsOf(story))
          const terms = { price, months: story.months, people: story.people, renewal: story.anchor }
          one.id = await share(owner, terms, { currency: story.currency })
        },
      },
      ...story.members.flatMap((member, at) => {
        const person = people[at] as Person
        return [
          { on: member.joins, run: () => join(person, one.id, owner) },
          {
            on: member.leaves,
            run: () =>
              person.sql`delete from subscription_members where subscription_id = ${one.id} and user_id = ${person.id}`,
          },
        ]
      }),
      ...story.prices.map(({ on, cents, rule: division = 'equal', parts = {} }) => ({
        on,
        run: async () => {
          const seats = await owner.sql<{ id: string; member_id: string }>`
            select id, member_id from plan_seats(${one.id}) where ended_at is null`
          const seatOf = (at: number) => seats.find(({ member_id }) => member_id === people[at]?.id)?.id
          const given = Object.fromEntries(
            Object.entries(parts).map(([at, { part, carriedBy }]) => [
              seatOf(Number(at)),
              { part, carriedBy: carriedBy === undefined ? null : seatOf(carriedBy) },
            ]),
          )
          await owner.run('select propose_shares($1, $2, $3, $4)', [
            one.id,
            String(cents / unitsOf(story)),
            division,
            JSON.stringify(given),
          ])
          for (const [at, person] of people.entries())
            for (const { id } of await person.sql`select id from term_proposals where answered_at is null`)
              await person.sql`select answer_terms(${String(id)}, ${story.members[at]?.accepts ?? false})`
        },
      })),
    ]
  })
  events.sort((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0))
  for (const { on, run } of events) {
    await reach(on)
    await run()
    // Nobody pays more than the plan costs: what the members pay is at most its price.
    expect(
      await sql`select p.id from public.shared_subscriptions as p
        where p.total_price <= (select sum(share) from private.seats as s where s.subscription_id = p.id and s.ended_at is null)`,
    ).toEqual([])
  }
  let payments = 0
  for (const { story, people } of table)
    for (const at of story.members.keys()) {
      const rows = await (people[at] as Person).sql<{
        share: string
        currency: string
        starts: string
        ends: string
      }>`
        select share, currency, (starts_at at time zone 'utc')::date::text as starts, (ends_at at time zone 'utc')::date::text as ends
        from member_payments order by number`
      expect(
        rows.map(({ share, starts, ends }) => [Math.round(Number(share) * unitsOf(story)), starts, ends]),
      ).toEqual(expected(story, at))
      expect(new Set(rows.map(({ currency }) => currency))).toEqual(new Set([story.currency]))
      payments += rows.length
    }
  expect(payments).toBeGreaterThan(60)
  // The renewal days follow.
  await sql`select private.run_housekeeping()`
  expect(
    await columnOf(
      sql`select next_payment::text from public.shared_subscriptions where id = ${table[0]?.id}`,
    ),
  ).toEqual(['2029-02-28'])
})

test('who is removed within a cycle is owed its rest, who leaves is not', async () => {
  const olivia = await owners()
  const [marc, nora] = await Promise.all(['Marc', 'Nora'].map((name) => addPerson(db, name)))
  if (!marc || !nora) throw new Error('Somebody is missing')
  await reach('2029-03-01')
  const id = await share(olivia, { price: '54.75', months: 12, people: 3, renewal: '2029-03-01' })
  for (const member of [marc, nora]) {
    await join(member, id, olivia)
    const payment = await single(member.sql`select id from member_payments`)
    await member.sql`select say_paid(${payment})`
    await olivia.sql`select confirm_payment(${payment})`
  }
  await reach('2029-05-13')
  await olivia.sql`delete from subscription_members where subscription_id = ${id} and user_id = ${marc.id}`
  await nora.sql`delete from subscription_members where subscription_id = ${id} and user_id = ${nora.id}`
  const owed = (who: Person) => single(who.sql`select owed_back from member_payments`)
  // 18.25 for 364.5 days, of which 291.5 are left at the noon of 13 May.
  expect(await owed(marc)).toBe('14.59')
  expect(await owed(nora)).toBe('0.00')
})
