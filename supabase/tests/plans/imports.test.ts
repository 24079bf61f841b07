// Imported plans: the preview and the import agree, each plan is created once, and the preview writes nothing.
import { beforeEach, expect, test } from 'vitest'
import { addPerson, ownDatabase, type Person, refusalOf, rule } from '../people.ts'
import { sharePlan } from '../plans.ts'

const { db, sql } = await ownDatabase()
const [days] = await sql<{
  last: string
  next: string
  soon: string
  long_ago: string
}>`select (current_date - 5)::text as last,
  (current_date - 5 + interval '1 month')::date::text as next, (current_date + 40)::text as soon, (current_date - 200)::text as long_ago`
const { last = '', next = '', soon = '', long_ago = '' } = days ?? {}
let olivia: Person
beforeEach(async () => {
  olivia = await addPerson(db, 'Olivia')
})

type Fate = { key: string; fate: string; params: Record<string, unknown> }
const MONTHLY = { price: 19.99, currency: 'EUR', unit: 'month', every: 1, date: last }
const json = (rows: object[]) =>
  JSON.stringify(rows.map((row, index) => ({ key: String(index), ...MONTHLY, ...row })))
const preview = (rows: object[], person = olivia) =>
  person.sql<Fate>`select * from preview_import(${json(rows)})`
const bring = (rows: object[], isPrivate = true) =>
  olivia.sql<Fate>`select * from import_plans(${json(rows)}, ${isPrivate})`
const plans =
  () => olivia.sql`select catalogue_plan_id as plan, owner_max_members as places, next_payment::text as renews, is_private, settlement
  from shared_subscriptions where owner_id = ${olivia.id} order by catalogue_plan_id`

test.each<[object, string, object?]>([
  [{ name: 'Netflix' }, 'new', { plan: 'netflix-premium', places: 4, renews: next }],
  [{ name: 'Netflix 4K familia', price: 17.99 }, 'choose', { plan: 'netflix-premium' }],
  [{ name: 'NETFLIX standard with ADS', price: 5.99 }, 'new', { plan: 'netflix-standard-with-ads' }],
  [
    { name: 'Disney Plus', price: 139.99, unit: 'year' },
    'new',
    { plan: 'disney-plus-premium-annual', cycle: 'yearly' },
  ],
  [{ name: 'Disney+', price: 139.99, every: 12 }, 'new', { plan: 'disney-plus-premium-annual' }],
  [{ name: 'Spotify Famille', price: 20 }, 'new', { plan: 'spotify-premium-family' }],
  [{ name: 'HBOMax', price: 16.99 }, 'new', { plan: 'hbo-max-premium' }],
  [{ name: 'Apple TV+', price: 8 }, 'new', { plan: 'apple-tv-monthly', most: 6 }],
  [
    { name: 'Our films', plan: 'netflix-standard' },
    'new',
    { provider: 'Netflix', plan: 'netflix-standard', places: 2 },
  ],
  [{ name: 'Netflix', places: 9 }, 'new', { places: 4 }],
  [{ name: 'Netflix', places: 1 }, 'new', { places: 2 }],
  [{ name: 'Netflix', renews: soon }, 'new', { renews: soon }],
  [{ name: 'Netflix', date: null }, 'date', { plan: 'netflix-premium' }],
  [{ name: 'Netflix', renews: '2020-01-01' }, 'date'],
  // For uncertain days in a file, the preview asks for the renewal day and offers the renewals that follow from the
  // file's days.
  [{ name: 'Netflix', dates: [last] }, 'date', { plan: 'netflix-premium', dates: [next] }],
  [{ name: 'Netflix', date: long_ago, dates: [last, soon] }, 'date', { dates: [next, soon] }],
  [{ name: 'Netflix', dates: [last, soon], renews: soon }, 'new', { renews: soon }],
  [{ name: 'Netflix', dates: [] }, 'new', { renews: next }],
  [{ name: 'Netflix', unit: null, kind: 'lifetime' }, 'lifetime'],
  [{ name: 'Spotify', price: 12.99 }, 'single', { name: 'Premium Individual' }],
  [{ name: 'GeForce NOW', price: 1 }, 'single'],
  [{ name: 'Netflix', payer: 'Marc' }, 'theirs'],
  [{ name: 'Netflix', unit: 'week', every: 3 }, 'irregular'],
  [{ name: 'Netflix', unit: null }, 'once'],
  [{ name: 'Netflix', date: long_ago }, 'ended'],
  [{ name: 'Netflix', kind: 'ended' }, 'ended'],
  [{ name: 'Marc to Olivia', kind: 'repayment' }, 'repayment'],
  [{ name: 'Rent' }, 'alone'],
])('%j: %s', async (row, fate, params = {}) => {
  expect(await preview([row])).toEqual([{ key: '0', fate, params: expect.objectContaining(params) }])
})

test('what was said comes true, in one go and once; saying it changes nothing', async () => {
  await sharePlan(db, olivia, { catalogueId: 'tidal-family' })
  await sql`insert into provider_rules (provider, rule, reason, ground, clause) values ('Deezer', 'off', 'Under review', 'provider', '4.2')`
  const rows = [
    ...[
      { name: 'Netflix', invite: ['ana@example.org', 'no address'], places: 3 },
      { name: 'Netflix Standard', price: 13.99 },
    ],
    ...[
      { name: 'Tidal' },
      { name: 'Deezer' },
      { name: 'Rent' },
      { name: 'Disney+', price: 13.99 },
      { name: 'YouTube Premium', price: 23.99 },
    ],
    ...[
      { name: 'Apple Music', price: 16.99 },
      { name: 'Dropbox', price: 19.99 },
      { name: 'HBO Max', price: 16.99 },
    ],
  ]
  const said = await preview(rows)
  expect(said.map(({ fate }) => fate)).toEqual([
    'new',
    'twice',
    'shared',
    'closed',
    'alone',
    'new',
    'new',
    'new',
    'new',
    'new',
  ])
  expect(await plans()).toHaveLength(1)
  await olivia.insert('payment_wishes', { kind: 'text', note: 'Cash' })
  const done = await bring(rows)
  // These are more plans than a person may share by hand in a minute.
  expect(done).toEqual(
    said.map((one) =>
      one.fate === 'new'
        ? {
            ...one,
            fate: 'done',
            params: {
              ...one.params,
              id: expect.any(String),
              status: 'active',
              links: [],
              invited: expect.any(Array),
            },
          }
        : one,
    ),
  )
  expect(done[0]?.params.invited).toEqual([
    { email: 'ana@example.org' },
    {
      email: 'no address',
      refusal: { message: 'Valid email is required', hint: 'email_invalid', details: null },
    },
  ])
  expect((await plans()).find(({ plan }) => plan === 'netflix-premium')).toEqual({
    ...{ plan: 'netflix-premium', places: 3, renews: next, is_private: true, settlement: 'direct' },
  })
  const before = await plans()
  expect((await bring(rows)).filter(({ fate }) => fate === 'done')).toEqual([])
  expect(await plans()).toEqual(before)
  expect(await olivia.sql`select email from subscription_invitations`).toEqual([{ email: 'ana@example.org' }])
  await sql`delete from provider_rules`
})

test('of two imports at once the second finds what the first has shared', async () => {
  const both = await Promise.all([bring([{ name: 'Netflix' }], false), bring([{ name: 'Netflix' }])])
  expect(both.map(([one]) => one?.fate).sort()).toEqual(['done', 'shared'])
  expect(await plans()).toHaveLength(1)
})

test('takes no more than 2000 rows, and 20 imports an hour', async () => {
  expect(await refusalOf(preview(Array(2001).fill({ name: 'Rent' })))).toEqual(
    rule('Bring along 2000 rows at a time'),
  )
  const address = 'somebody@example.org'
  expect(await refusalOf(bring([{ name: 'Netflix', invite: Array(2001).fill(address) }]))).toEqual(
    rule('Bring along 2000 rows at a time'),
  )
  expect(await preview(Array(2000).fill({ name: 'Netflix Premium Family' }))).toHaveLength(2000)
  for (let count = 0; count < 20; count++) await bring([])
  expect(await refusalOf(bring([]))).toMatchObject({ code: 'PT429' })
})
