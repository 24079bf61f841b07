// Requests to staff, for a provider in the catalogue or a role: what a request must contain, who decides it,
// and what happens then.
// Proves NOTIF 11, ROLE 13, PROVREQ 02 04 05 08, ADMIN 07 16-20, DATA 16 20, API 18 20 33 36 49, ERR 48,
// VALID 18-20 23
import { describe, expect, test } from 'vitest'
import { columnOf, DENIED, denied, expectRefusal, rule, single } from '../answers.ts'
import { addPerson, addStaff, ownDatabase, type Person } from '../people.ts'
import { BLANK, FAMILY, MEGABYTE, RTL, SCRIPT, ZERO_WIDTH } from '../texts.ts'

const { db, sql } = await ownDatabase()
await sql`update private.rate_limits set attempts = 1000000`
const ada = await addStaff(db, 'Ada', 'admin')
const sofia = await addStaff(db, 'Sofia', 'super-admin')
const selma = await addStaff(db, 'Selma', 'super-admin')
const mona = await addStaff(db, 'Mona', 'moderator')
const nina = await addPerson(db, 'Nina')

const OFFER = { plan_name: 'Family', price: 9.99, billing_cycle: 'monthly', max_members: 4, features: [] }
const GOOD = {
  provider_requests: {
    ...{ provider_name: 'Mubi', category: 'Streaming', website_url: 'https://mubi.com' },
    description: 'Hand-picked films, a new one a day.',
    plans_data: JSON.stringify([OFFER]),
  },
  admin_role_requests: {
    ...{ name: 'Zoe Day', email: 'zoe@potluck.example', reason: 'I would like to help with payouts.' },
  },
}
type Kind = keyof typeof GOOD
type Sent = Record<string, string | null>
const asking =
  (kind: Kind) =>
  (person: Person, change: Sent = {}) =>
    person.insert<Record<string, unknown> & { id: string }>(kind, { ...GOOD[kind], ...change })
const askProvider = asking('provider_requests')
const askAccess = asking('admin_role_requests')
const decide = (kind: Kind, by: Person, id: string, status: string) =>
  by.run(`update ${kind} set status = $1 where id = $2 returning status`, [status, id])
const told = (person: Person) =>
  person.sql`select type, title, message from user_notifications order by created_at`
const roleOf = (person: Person) => single(sql`select role from user_roles where user_id = ${person.id}`)

describe.each([
  ['provider_requests', ada, [mona], 'Provider Request', 'to add Mubi'],
  ['admin_role_requests', sofia, [mona, ada], 'Admin Access', 'for admin access'],
] as const)('a row of %s', (kind, decider, others, title, what) => {
  const ask = asking(kind)
  const read = (person: Person, id: string) => person.run(`select id from ${kind} where id = $1`, [id])

  test('is asked for oneself, waits, and is read by its asker and admins', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const { id, ...request } = await ask(zoe)
    expect(request).toMatchObject({ user_id: zoe.id, status: 'pending' })
    for (const person of [zoe, ada, sofia]) expect(await read(person, id)).toHaveLength(1)
    for (const person of [mona, nina]) expect(await read(person, id)).toEqual([])
    await expectRefusal(ask(zoe, { user_id: ada.id }), denied('You can only ask for yourself'))
  })

  test.each([
    ['approved', 'success', 'Approved'],
    ['rejected', 'info', 'Rejected'],
  ])('is %s for good by who may, and its asker is told', async (status, type, word) => {
    const zoe = await addPerson(db, 'Zoe')
    const { id } = await ask(zoe)
    for (const person of [zoe, ...others]) expect(await decide(kind, person, id, status)).toEqual([])
    expect(await decide(kind, decider, id, status)).toEqual([{ status }])
    const message = `Your request ${what} has been ${status}.`
    expect(await told(zoe)).toEqual([{ type, title: `${title} ${word}`, message }])
    for (const other of ['approved', 'rejected', 'pending'].filter((one) => one !== status))
      await expectRefusal(decide(kind, selma, id, other), rule(`This request has already been ${status}`))
    expect(await ask(zoe)).toMatchObject({ status: 'pending' })
  })

  test('of somebody who decides is decided by somebody else', async () => {
    const { id } = await ask(decider)
    const own = denied('Someone else decides on your own request')
    for (const status of ['approved', 'rejected']) await expectRefusal(decide(kind, decider, id, status), own)
    expect(await decide(kind, selma, id, 'rejected')).toEqual([{ status: 'rejected' }])
  })
})

describe('a provider request', () => {
  const NAME = rule('Provider name must be at least 2 characters')
  const CATEGORY = rule('Please select a category')
  const ADDRESS = rule('Please enter a valid URL')
  const DESCRIPTION = rule('Description must be at least 10 characters')
  const NO_PLANS = rule('At least one plan is required')
  const PLAN_NAME = rule('Plan name is required')
  const PRICE = rule('Price must be positive')
  const MEMBERS = rule('Max members must be at least 1')
  const CROWD = rule('Max members must be a whole number up to 10,000')
  const MANY = rule('That’s too many plans')
  const FEATURES = rule('Features are up to 30 texts of at most 200 characters')
  const CYCLE = rule('The billing cycle is monthly or yearly')
  const offering = (change: object) => ({ plans_data: JSON.stringify([{ ...OFFER, ...change }]) })

  test.each<[string, Sent, { code: string }]>([
    ['no name', { provider_name: null }, NAME],
    ['a letter', { provider_name: ' M ' }, NAME],
    ['zero-width characters for a name', { provider_name: ZERO_WIDTH }, NAME],
    ['a long name', { provider_name: 'x'.repeat(101) }, rule('Provider name can be at most 100 characters')],
    ['a NUL in a name', { provider_name: 'Mu\0bi' }, { code: '22021' }],
    ['no category', { category: null }, CATEGORY],
    ['another category', { category: 'streaming' }, CATEGORY],
    ['no address', { website_url: null }, ADDRESS],
    ['an address that runs', { website_url: 'javascript:alert(1)//a.b' }, ADDRESS],
    ['half an address', { website_url: 'https://mubi' }, ADDRESS],
    ['an address with a blank', { website_url: 'https://mu bi.com' }, ADDRESS],
    ['an address with a name before it', { website_url: 'https://netflix.com@evil.example' }, ADDRESS],
    ['an address of lookalike letters', { website_url: 'https://nеtflix.com' }, ADDRESS],
    ['an address turned around', { website_url: 'https://a.example/\u202efdp' }, ADDRESS],
    ['a long address', { website_url: `https://a.b/${'x'.repeat(489)}` }, ADDRESS],
    ['no description', { description: null }, DESCRIPTION],
    ['nine characters', { description: 'x'.repeat(9) }, DESCRIPTION],
    ['invisible characters', { description: ZERO_WIDTH.repeat(5) }, DESCRIPTION],
    ['a novel', { description: 'x'.repeat(2001) }, rule('Description can be at most 2000 characters')],
    ['no plans', { plans_data: null }, NO_PLANS],
    ['an empty list', { plans_data: '[]' }, NO_PLANS],
    ['an object for a list', { plans_data: '{"0":{}}' }, NO_PLANS],
    ['too many plans', { plans_data: JSON.stringify(Array(51).fill(OFFER)) }, MANY],
    ['a megabyte of plans', offering({ plan_name: MEGABYTE }), MANY],
    ['something that is no plan', { plans_data: '[null]' }, PLAN_NAME],
    ['a plan without a name', offering({ plan_name: undefined }), PLAN_NAME],
    ['a plan of zero-width characters', offering({ plan_name: ZERO_WIDTH }), PLAN_NAME],
    ['a plan with a number for a name', offering({ plan_name: 7 }), PLAN_NAME],
    [
      'a long plan',
      offering({ plan_name: 'x'.repeat(101) }),
      rule('Plan name can be at most 100 characters'),
    ],
    ['no price', offering({ price: null }), PRICE],
    ['a negative price', offering({ price: -0.000001 }), PRICE],
    ['a price that is no number', offering({ price: 'NaN' }), PRICE],
    ['a price beyond all', offering({ price: 100_000.01 }), rule('Price can be at most 100,000')],
    ['no members', offering({ max_members: 0 }), MEMBERS],
    ['members as a text', offering({ max_members: '4' }), MEMBERS],
    ['half a member', offering({ max_members: 1.5 }), CROWD],
    ['a crowd', offering({ max_members: 10_001 }), CROWD],
    ['no cycle', offering({ billing_cycle: null }), CYCLE],
    ['another cycle', offering({ billing_cycle: 'weekly' }), CYCLE],
    ['features that are no list', offering({ features: SCRIPT }), FEATURES],
    ['features with a flag', offering({ features: [{ name: 'HD' }] }), FEATURES],
    ['a long feature', offering({ features: ['a'.repeat(201)] }), FEATURES],
    ['thirty-one features', offering({ features: Array(31).fill('HD') }), FEATURES],
    ['plans that are no JSON', { plans_data: '[' }, { code: '22P02' }],
    ['a decision', { status: 'approved' }, denied('Only admins can answer provider requests')],
  ])('is refused with %s', async (_what, change, refusal) => {
    await expectRefusal(askProvider(nina, change), refusal)
  })

  test.each(
    'Streaming, Music, Gaming, Productivity, Security, Cloud Storage, Design, Education, Fitness, News'.split(
      ', ',
    ),
  )('is filed under %s', async (category) => {
    expect(await askProvider(nina, { category })).toMatchObject({ category })
  })

  test('is taken up to each of its limits, and text of any script as it is', async () => {
    const least = { provider_name: ' Mu ', description: `${RTL}${FAMILY}${SCRIPT}` }
    expect(await askProvider(nina, least)).toMatchObject({ ...least, provider_name: 'Mu' })
    const most = { ...OFFER, plan_name: 'x'.repeat(100), price: 100_000, max_members: 10_000 }
    const plans = [
      { ...most, features: Array(30).fill('x'.repeat(200)) },
      ...Array(49).fill({ ...OFFER, max_members: 1 }),
    ]
    const long = {
      ...{ provider_name: 'x'.repeat(100), website_url: `https://a.bc/${'x'.repeat(487)}` },
      ...{ description: 'x'.repeat(2000), plans_data: JSON.stringify(plans) },
    }
    expect(await askProvider(nina, long)).toMatchObject({ ...long, plans_data: plans })
    await askProvider(nina, { description: 'x'.repeat(10) })
  })

  test('keeps of each plan what a plan has, to the cent and in order', async () => {
    const plans = [
      { ...OFFER, plan_name: ' Solo ', price: 4.995, features: ['One screen', 'أفلام'], admin: true },
      { plan_name: 'House', price: 0, billing_cycle: 'yearly', max_members: 6 },
    ]
    expect(await askProvider(nina, { plans_data: JSON.stringify(plans) })).toEqual({
      ...GOOD.provider_requests,
      ...{ id: expect.any(String), user_id: nina.id, status: 'pending', created_at: expect.anything() },
      plans_data: [
        { ...OFFER, plan_name: 'Solo', price: 5, features: ['One screen', 'أفلام'] },
        { plan_name: 'House', price: 0, billing_cycle: 'yearly', max_members: 6, features: [] },
      ],
    })
  })

  test('is counted while it waits, for admins and nobody else', async () => {
    const waiting = (by: Person) => single<number>(by.sql`select get_pending_provider_requests_count()`)
    const before = await waiting(ada)
    const [first, second] = [await askProvider(nina), await askProvider(nina)]
    expect(await waiting(ada)).toBe(before + 2)
    await decide('provider_requests', ada, first.id, 'approved')
    await decide('provider_requests', sofia, second.id, 'rejected')
    expect(await waiting(sofia)).toBe(before)
    for (const person of [nina, mona])
      await expectRefusal(waiting(person), denied('Only admins see the provider requests of others'))
  })
})

describe('a role request', () => {
  const NAME = rule('Name is required')
  const EMAIL = rule('Valid email is required')
  const REASON = rule('Please provide a detailed reason for your request')
  const wasReviewedNow = (id: string) =>
    single(sql`select reviewed_at between requested_at and clock_timestamp() from admin_role_requests
      where id = ${id}`)

  test.each<[string, Sent, { code: string }]>([
    ['no name', { name: null }, NAME],
    ['a letter', { name: ' N ' }, NAME],
    ['zero-width characters for a name', { name: ZERO_WIDTH }, NAME],
    ['a long name', { name: 'x'.repeat(121) }, rule('Name can be at most 120 characters')],
    [
      'the name of the site',
      { name: 'Potluck Support' },
      rule('This name is reserved. Please choose another one.'),
    ],
    ['no address', { email: null }, EMAIL],
    ['two at-signs', { email: 'nina@@potluck.example' }, EMAIL],
    ['an address with a blank', { email: 'ni na@potluck.example' }, EMAIL],
    ['a full-width address', { email: 'ｎｉｎａ@potluck.example' }, EMAIL],
    ['an address without a domain', { email: 'nina@potluck' }, EMAIL],
    ['a long address', { email: `${'x'.repeat(239)}@potluck.example` }, EMAIL],
    ['no reason', { reason: null }, REASON],
    ['nine characters', { reason: 'x'.repeat(9) }, REASON],
    ['blanks for a reason', { reason: BLANK.repeat(5) }, REASON],
    ['a novel', { reason: 'x'.repeat(2001) }, rule('The reason can be at most 2000 characters')],
    ['a NUL', { reason: 'Please\0 let me in' }, { code: '22021' }],
    ['a decision', { status: 'approved' }, DENIED],
    ['a date of review', { reviewed_at: '2026-01-01' }, DENIED],
    ['a date', { requested_at: '2026-01-01' }, DENIED],
  ])('is refused with %s', async (_what, change, refusal) => {
    await expectRefusal(askAccess(mona, change), refusal)
  })

  test.each<[Sent, Sent]>([
    [
      { name: ' Zo ', reason: ' I can help ' },
      { name: 'Zo', reason: 'I can help' },
    ],
    [{ reason: 'x'.repeat(10) }, {}],
    [{ name: 'x'.repeat(120), reason: 'x'.repeat(2000) }, {}],
    [{ email: `${'x'.repeat(238)}@potluck.example` }, {}],
    [{ email: sofia.email }, {}],
  ])('is taken under the address of the own account: %#', async (sent, stored) => {
    const zoe = await addPerson(db, 'Zoe')
    expect(await askAccess(zoe, sent)).toEqual({
      ...{ ...GOOD.admin_role_requests, ...sent, ...stored, email: zoe.email, status: 'pending' },
      ...{ id: expect.any(String), user_id: zoe.id, requested_at: expect.anything(), reviewed_at: null },
    })
  })

  test('is asked once at a time, and stays as it was asked', async () => {
    const zoe = await addPerson(db, 'Zoe')
    await askAccess(zoe)
    await expectRefusal(askAccess(zoe), { code: '23505' })
    const change = `update admin_role_requests set reason = 'Please let me in'`
    await expectRefusal(zoe.run(change), DENIED)
  })

  test.each([
    ['nobody', 'approved', 'admin'],
    ['nobody', 'rejected', undefined],
    ['moderator', 'approved', 'admin'],
    ['super-admin', 'approved', 'super-admin'],
  ])('of a %s, once %s, makes them %s, and is dated', async (held, status, becomes) => {
    const lea = await addPerson(db, 'Lea')
    if (held !== 'nobody') await sql`insert into user_roles (user_id, role) values (${lea.id}, ${held})`
    const { id } = await askAccess(lea)
    await decide('admin_role_requests', sofia, id, status)
    expect([await roleOf(lea), await wasReviewedNow(id)]).toEqual([becomes, true])
    const granters = await columnOf(sql`select granted_by from user_roles where user_id = ${lea.id}`)
    if (held === 'nobody') expect(granters).toEqual(becomes ? [sofia.id] : [])
  })

  test('stays pending when the role cannot be granted, and nobody is told anything', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const { id } = await askAccess(zoe)
    // An operator may close a team for a while, as this constraint does.
    await sql`alter table user_roles add constraint team_is_closed check (role <> 'admin') not valid`
    const approved = decide('admin_role_requests', sofia, id, 'approved')
    await expectRefusal(approved, rule('Failed to assign admin role'))
    await sql`alter table user_roles drop constraint team_is_closed`
    const row = zoe.sql`select status, reviewed_at from admin_role_requests`
    expect(await row).toEqual([{ status: 'pending', reviewed_at: null }])
    expect([await roleOf(zoe), await told(zoe)]).toEqual([undefined, []])
  })

  test('is dated by the database, whatever was sent along or later', async () => {
    const { id } = await askAccess(await addPerson(db, 'Zoe'))
    const date = (change = '') =>
      sofia.run(`update admin_role_requests set ${change}reviewed_at = '2001-01-01' where id = $1`, [id])
    await date()
    expect(await single(sql`select reviewed_at from admin_role_requests where id = ${id}`)).toBe(null)
    await date(`status = 'rejected', `)
    await date()
    expect(await wasReviewedNow(id)).toBe(true)
  })
})
