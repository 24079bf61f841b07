// Imported rows that become own plans, with their people by name: what the preview says, what the import does, and what a file cannot do.
//
// | who                                  | does                                 | result                                          |
// |--------------------------------------|--------------------------------------|-------------------------------------------------|
// | owner of a group elsewhere           | imports it                           | plan, shares and one link for each person       |
// | the same, again or twice at once     | imports the same file                | nothing more                                    |
// | owner whose third plan is refused    | imports three                        | none of them                                    |
// | person who is imported               | is silent until the next payment day | owes nothing before it, their own share on it   |
// | somebody else of the group, who pays | is not the owner                     | stays where it is                               |
// | writer of the file                   | sends absurd numbers, names, links   | the row stays, with the reason                  |
// | owner with many people or plans      | imports more                         | refused at the limits of guests and plans       |
// | owner of a provider that is off      | imports it in another currency       | refused, as in the catalogue                    |
// | another person, a stranger           | looks                                | sees nothing of it                              |
import { beforeEach, describe, expect, test } from 'vitest'
import { columnOf, expectRefusal, rule, single } from '../answers.ts'
import { addPerson, addStaff, ownDatabase, type Person } from '../people.ts'
import { sayHowPaid } from '../plans.ts'

const { db, sql, VISITOR } = await ownDatabase()
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const NEXT = day(20)
let olivia: Person
beforeEach(async () => {
  await sql`update private.clock set ahead = '0'`
  olivia = await addPerson(db, 'Olivia')
  await sayHowPaid(olivia)
})

type Fate = {
  key: string
  fate: string
  params: Record<string, unknown> & { id: string; links: { name: string; link: string }[] }
}
const named = (...names: string[]) => names.map((name) => ({ name }))
const MONTHLY = {
  ...{ name: 'Kagi Family', price: 12, currency: 'GBP', unit: 'month', every: 1, date: NEXT },
  people: named('Ben', 'Cleo'),
}
const json = (rows: object[]) =>
  JSON.stringify(rows.map((row, index) => ({ key: String(index), ...MONTHLY, ...row })))
const preview = (rows: object[], person = olivia) =>
  person.sql<Fate>`select * from preview_import(${json(rows)})`
const bring = (rows: object[], person = olivia) => person.sql<Fate>`select * from import_plans(${json(rows)})`
const place = (link: string) =>
  single<{ share: number; currency: string; payments: { amount: number; status: string }[] }>(
    VISITOR.sql`select my_place(${link})`,
  )
const reach = async (at: string) => {
  await sql`update private.clock set ahead = ${`${at}T12:00:00Z`}::timestamptz - now()`
  while (Number(await single(sql`select private.run_due_work()`)) > 0);
}

const part = (name: string, amount: unknown) => ({ name, part: amount })
const CASES: [object, string, object?][] = [
  [
    {},
    'own',
    {
      plan: 'own',
      provider: 'Kagi',
      name: 'Family',
      price: 12,
      currency: 'GBP',
      months: 1,
      places: 3,
      rest: 4,
    },
  ],
  [{ name: 'Rent', label: 'Flat' }, 'own', { provider: 'Rent', name: 'Flat' }],
  [{ name: '家賃', label: 'Group' }, 'own', { provider: '家賃', name: 'Group' }],
  [{ name: 'netflix 4K', currency: 'USD' }, 'own', { provider: 'Netflix', name: '4K' }],
  [{ every: 3 }, 'own', { months: 3 }],
  [{ unit: 'year', every: 5 }, 'own', { months: 60 }],
  [{ unit: 'year', every: 6 }, 'irregular'],
  [{ every: 61 }, 'irregular'],
  [{ unit: 'week' }, 'irregular'],
  // The catalogue's plan if all pay what it says, the group's own otherwise.
  [
    { name: 'Netflix', price: 19.99, currency: 'EUR', size: 4, people: named('A', 'B', 'C') },
    'new',
    { places: 4 },
  ],
  [{ name: 'Netflix', price: 19.99, currency: 'EUR', size: 3 }, 'own', { provider: 'Netflix', rest: 6.67 }],
  [{ name: 'Netflix', price: 18.99, currency: 'EUR', size: 4 }, 'own'],
  [{ name: 'Netflix', price: 19.99, currency: 'EUR', size: 4, rule: 'percent' }, 'own'],
  [
    { name: 'Netflix', price: 19.99, currency: 'EUR', size: 3, plan: 'netflix-premium' },
    'new',
    { places: 4 },
  ],
  [{ name: 'Netflix', price: 19.99, currency: 'EUR', plan: 'own' }, 'own'],
  [{ name: 'Netflix', price: 19.99, currency: 'EUR', plan: 'netflix-standard' }, 'people'],
  // Numbers that are no amounts of their currency.
  [{ currency: 'JPY', price: 1026 }, 'own', { rest: 342 }],
  [{ currency: 'JPY', price: 10.5 }, 'price'],
  ...['KWD', 'XXX', '?', '', null].map((currency): [object, string] => [{ currency }, 'currency']),
  ...[0, -1, 1.005, 1e9, 'NaN', 'Infinity', null].map((price): [object, string] => [{ price }, 'price']),
  [{ unsteady: true }, 'varies'],
  [{ payer: 'Ben' }, 'theirs'],
  [{ kind: 'shares' }, 'shares'],
  // Parts.
  [{ rule: 'amount', people: [part('Ben', 5), part('Cleo', 2)] }, 'own', { rest: 5 }],
  [{ rule: 'amount', people: [part('Ben', 12), { name: 'Cleo' }] }, 'own', { rest: 0 }],
  [{ rule: 'amount', people: [part('Ben', 12), part('Cleo', 0.01)] }, 'shares'],
  [{ rule: 'percent', price: 10, people: [part('Ben', 33.33), part('Cleo', 33.33)] }, 'own', { rest: 3.34 }],
  [{ rule: 'percent', people: [part('Ben', 60), part('Cleo', 40.01)] }, 'shares'],
  ...[-1, 1.005, 'all', 1e15, [], true].map((much): [object, string] => [
    { rule: 'amount', people: [part('Ben', much)] },
    'shares',
  ]),
  [{ rule: 'unclear' }, 'shares'],
  // People.
  [{ people: [] }, 'alone'],
  [{ people: 'Ben' }, 'alone'],
  [{ people: [], places: 4 }, 'own', { places: 4, rest: 12 }],
  [{ people: [], invite: ['ana@example.org'] }, 'own', { places: 2 }],
  [{ places: 2 }, 'own', { places: 3 }],
  [{ people: named('Ben', 'Ben') }, 'own', { places: 3 }],
  [{ people: named('  Ben   B. ') }, 'own', { people: [{ name: 'Ben B.', share: 6 }] }],
  [{ people: named('Ben', 'Potluck Support') }, 'name', { refused: 'Potluck Support' }],
  [{ people: named('Ben', ' ') }, 'name', { refused: '?' }],
  [{ people: named('x'.repeat(81)) }, 'name', { refused: 'x'.repeat(40) }],
  [{ people: ['Ben'] }, 'name'],
  [{ people: named(...Array.from({ length: 500 }, (_, at) => `P${at}`)) }, 'people'],
  [{ people: named(...Array.from({ length: 49 }, (_, at) => `P${at}`)) }, 'own', { places: 50 }],
  // Days: what was due up to today is settled elsewhere.
  [{ date: day(0) }, 'own', { renews: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }],
  [{ date: day(45) }, 'date'],
  [{ date: null }, 'date'],
  [{ date: null, renews: day(3) }, 'own', { renews: day(3) }],
  [{ renews: day(0) }, 'date'],
  [{ renews: day(45) }, 'date'],
  [{ dates: [day(3), day(9)] }, 'date', { dates: [day(3), day(9)] }],
  [{ date: day(-130) }, 'ended'],
  // Names and links.
  [{ name: '\u200b' }, 'title'],
  [{ name: 'x'.repeat(150) }, 'title'],
  [{ website: 'https://kagi.com', note: ' Ask me ' }, 'own', { website: 'https://kagi.com', note: 'Ask me' }],
]
test.each(
  CASES.map(([row, fate, params]) => [JSON.stringify(row).slice(0, 90), fate, row, params ?? {}] as const),
)('%s: %s', async (_words, fate, row, params) => {
  const [said] = await preview([row])
  expect(said).toEqual({ key: '0', fate, params: expect.objectContaining(params) })
  // Whatever the preview says comes true.
  const [done] = await bring([row])
  expect(done?.fate).toBe(fate === 'own' || fate === 'new' ? 'done' : fate)
})

test('a website that leads elsewhere than it seems stays behind', async () => {
  for (const website of [
    'http://kagi.com',
    'javascript:alert(1)',
    'https://a@kagi.com',
    'https://xn--kgi-0na.com',
  ])
    expect((await preview([{ website }]))[0]?.params).not.toHaveProperty('website')
})

describe('a group', () => {
  const ROWS = [
    {
      rule: 'amount',
      people: [part('Ben', 5), part('Cleo', 2)],
      note: 'Ask me',
      website: 'https://kagi.com',
    },
    { name: 'Hulu', label: 'Flat', price: 1000, currency: 'JPY', people: named('Ben', 'Cleo') },
    {
      name: 'Phone',
      label: 'Flat',
      price: 30,
      currency: 'EUR',
      rule: 'percent',
      people: [part('Ben', 33.33)],
    },
  ]

  test('has its own shares from the next payment day on, and owes nothing for the days before', async () => {
    const done = await bring(ROWS)
    const links = done.flatMap(({ params }) => params.links)
    expect(links.map(({ name }) => name)).toEqual(['Ben', 'Cleo', 'Ben', 'Cleo', 'Ben'])
    const terms = async () => {
      const all = await Promise.all(links.map(({ link }) => place(link)))
      return all.map(({ share, currency, payments }) => [
        currency,
        share,
        ...payments.map(({ amount, status }) => `${status} ${amount}`),
      ])
    }
    expect(await terms()).toEqual([
      ['GBP', 5, 'paid 0'],
      ['GBP', 2, 'paid 0'],
      ['JPY', 333, 'paid 0'],
      ['JPY', 333, 'paid 0'],
      ['EUR', 9.99, 'paid 0'],
    ])
    expect(
      await olivia.sql`select provider, name, currency, share_rule, member_price, max_members, next_payment::text as renews, is_private, note, website
        from shared_subscriptions order by currency`,
    ).toEqual([
      expect.objectContaining({ provider: 'Phone', share_rule: 'percent', max_members: 2, is_private: true }),
      {
        ...{ provider: 'Kagi', name: 'Family', currency: 'GBP', share_rule: 'amount', member_price: '0.00' },
        ...{ max_members: 3, renews: NEXT, is_private: true, note: 'Ask me', website: 'https://kagi.com' },
      },
      expect.objectContaining({ provider: 'Hulu', share_rule: 'equal', member_price: '333.00' }),
    ])
    expect(await columnOf(olivia.sql`select what from plan_changes(${done[0]?.params.id})`)).toEqual([])
    await reach(NEXT)
    expect((await terms()).map(([, share, newest]) => [share, newest])).toEqual([
      [5, 'due 5'],
      [2, 'due 2'],
      [333, 'due 333'],
      [333, 'due 333'],
      [9.99, 'due 9.99'],
    ])
    // Their statement confirms each payment in its own currency alone.
    const entry = (key: string, amount: number, currency: string) => ({
      ...{ key, amount, currency, booked: NEXT, name: 'BEN', text: '', ref: key },
    })
    const entries = [
      entry('1', 5, 'GBP'),
      entry('2', 333, 'JPY'),
      entry('3', 9.99, 'EUR'),
      entry('4', 333, 'EUR'),
      entry('5', 5, 'CHF'),
      entry('6', 5, ''),
    ]
    expect(
      await olivia.sql`select key, fate, params ->> 'currency' as currency
        from propose_direct_payments(${JSON.stringify(entries)}) order by key`,
    ).toEqual([
      { key: '1', fate: 'pays', currency: 'GBP' },
      { key: '2', fate: 'pays', currency: 'JPY' },
      { key: '3', fate: 'pays', currency: 'EUR' },
      { key: '4', fate: 'nothing', currency: null },
      { key: '5', fate: 'currency', currency: null },
      { key: '6', fate: 'currency', currency: null },
    ])
    // The same bank reference in another currency is another entry.
    const sent = (what: object) => JSON.stringify([{ ...entry('1', 5, 'GBP'), ...what }])
    const payment = await single(
      olivia.sql`select params ->> 'payment' from propose_direct_payments(${sent({})})`,
    )
    const confirmed = olivia.sql`select fate from confirm_direct_payments(${sent({ payment })})`
    expect(await columnOf(confirmed)).toEqual(['done'])
    for (const [currency, fate] of [
      ['GBP', 'confirmed'],
      ['EUR', 'nothing'],
    ])
      expect(await single(olivia.sql`select fate from propose_direct_payments(${sent({ currency })})`)).toBe(
        fate,
      )
    const reference = (
      await olivia.sql<{ reference: string }>`select reference from member_payments
      where currency = 'GBP' and status = 'due' and amount = 2`
    )[0]?.reference
    const wrong = [{ ...entry('7', 2, 'EUR'), text: reference }]
    expect(
      await columnOf(olivia.sql`select fate from propose_direct_payments(${JSON.stringify(wrong)})`),
    ).toEqual(['amount'])
  })

  test('is imported once, also in two imports at the same moment, and anew once its plan has gone', async () => {
    const [one, other] = await Promise.all([bring(ROWS), bring(ROWS)])
    expect([one, other].map((done) => done?.[0]?.fate).sort()).toEqual(['done', 'shared'])
    expect((await preview([...ROWS, ...ROWS])).map(({ fate }) => fate)).toEqual(Array(6).fill('shared'))
    expect(Number(await single(olivia.sql`select count(*) from shared_subscriptions`))).toBe(3)
    await olivia.sql`delete from shared_subscriptions where currency = 'GBP'`
    expect((await bring(ROWS)).map(({ fate }) => fate)).toEqual(['done', 'shared', 'shared'])
    // The same name in another currency or cycle is another plan; within one file the first row counts.
    expect(
      (await preview([{ every: 12 }, { currency: 'CHF' }, { every: 12 }])).map(({ fate }) => fate),
    ).toEqual(['own', 'own', 'twice'])
  })

  test('is imported whole or not at all, and shows nothing to others', async () => {
    await olivia.sql`delete from payment_wishes where user_id = ${olivia.id}`
    await expectRefusal(bring([{ people: [], places: 3 }, ...ROWS.slice(1)]), { code: '23514' })
    expect(await olivia.sql`select id from shared_subscriptions`).toEqual([])
    expect(
      await columnOf(sql`select user_id from private.user_profiles where guest_of = ${olivia.id}`),
    ).toEqual([])
    await sayHowPaid(olivia)
    await bring(ROWS)
    const zoe = await addPerson(db, 'Zoe')
    expect(await zoe.sql`select id from shared_subscriptions`).toEqual([])
    expect((await preview(ROWS, zoe)).map(({ fate }) => fate)).toEqual(['own', 'own', 'own'])
  })

  test('keeps the limits of plans and guests, and the hour’s', async () => {
    const crowd = (at: number) => ({
      name: `Club ${at}`,
      people: named(...Array.from({ length: 49 }, (_, index) => `P${index}`)),
    })
    const crowds = Array.from({ length: 11 }, (_, at) => crowd(at))
    expect((await preview(crowds)).map(({ fate }) => fate)).toEqual([...Array(10).fill('own'), 'guests'])
    await expectRefusal(bring(crowds.slice(0, 7)), { code: 'PT429' })
    expect(await olivia.sql`select id from shared_subscriptions`).toEqual([])
    const many = Array.from({ length: 52 }, (_, at) => ({ name: `Plan ${at}`, people: [], places: 2 }))
    expect((await preview(many)).map(({ fate }) => fate)).toEqual([
      ...Array(50).fill('own'),
      'plans',
      'plans',
    ])
    expect((await bring(many)).filter(({ fate }) => fate === 'done')).toHaveLength(50)
    expect((await preview(many)).map(({ fate }) => fate).slice(-2)).toEqual(['plans', 'plans'])
  })

  test('of a provider that is off stays where it is, in every currency', async () => {
    const ada = await addStaff(db, 'Ada', 'admin')
    await ada.sql`insert into provider_rules (provider, rule, reason, ground, clause) values ('Netflix', 'off', 'Its terms', 'provider', '4.2')`
    const rows = [{ name: 'Our Netflix 4K' }, { website: 'https://www.netflix.com' }]
    expect((await preview(rows)).map(({ fate }) => fate)).toEqual(['closed', 'closed'])
    await ada.sql`delete from provider_rules`
  })

  test('in the catalogue’s plan is private, whatever was chosen', async () => {
    const netflix = { name: 'Netflix', price: 19.99, currency: 'EUR', size: 4, people: named('A', 'B', 'C') }
    const [done] = await olivia.sql<Fate>`select * from import_plans(${json([netflix])}, false)`
    expect(done?.params.links).toHaveLength(3)
    expect(await olivia.sql`select is_private, current_members from shared_subscriptions`).toEqual([
      { is_private: true, current_members: 4 },
    ])
  })
})

test('rows are limited, and nobody imports for another', async () => {
  await expectRefusal(preview(Array(2001).fill({})), rule('Bring along 2000 rows at a time'))
  await expectRefusal(VISITOR.sql`select * from preview_import(${json([{}])})`, { code: '42501' })
})
