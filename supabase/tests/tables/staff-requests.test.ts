import { beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../server/test/harness.ts'
import {
  type Asker,
  addPerson,
  DENIED,
  denied,
  type Person,
  refusalOf,
  rule,
  statements,
  visitor,
} from '../people.ts'

const db = await testDatabase()
const { sql } = statements(db)
const VISITOR = visitor(db)
let ada: Person
let sofia: Person
beforeAll(async () => {
  ada = await addStaff('Ada', 'admin')
  sofia = await addStaff('Sofia', 'super-admin')
})

async function addStaff(name: string, role: string): Promise<Person> {
  const person = await addPerson(db, name)
  await sql`insert into user_roles (user_id, role) values (${person.id}, ${role})`
  return person
}
const insert = (person: Asker, table: string, row: Record<string, string | null>) => {
  const columns = Object.keys(row)
  const places = columns.map((_, index) => `$${index + 1}`).join(', ')
  const text = `insert into ${table} (${columns.join(', ')}) values (${places}) returning id, user_id, status`
  return person.run<{ id: string; user_id: string; status: string }>(text, Object.values(row))
}
const decide = (person: Asker, table: string, id: string, status: string) =>
  person.run(`update ${table} set status = $1 where id = $2 returning status`, [status, id])
const titles = async (person: Person) =>
  (await person.sql<{ title: string }>`select title from user_notifications`).map(({ title }) => title)

const OFFER = { plan_name: 'Family', price: 9.99, billing_cycle: 'monthly', max_members: 4, features: [] }
const CATEGORIES = [
  'Streaming',
  'Music',
  'Gaming',
  'Productivity',
  'Security',
  'Cloud Storage',
  'Design',
  'Education',
  'Fitness',
  'News',
]
const PROVIDER = {
  provider_name: 'Mubi',
  category: 'Streaming',
  website_url: 'https://mubi.com',
  description: 'Hand-picked films, a new one a day.',
  plans_data: JSON.stringify([OFFER]),
}

describe('a provider request', () => {
  test('is stored as pending, in the name of who is signed in', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const [request] = await insert(zoe, 'provider_requests', {
      ...PROVIDER,
      user_id: zoe.id,
      status: 'approved',
    })
    const stored = await zoe.sql`select * from provider_requests where id = ${request?.id ?? ''}`
    expect(stored).toEqual([
      {
        ...PROVIDER,
        id: request?.id,
        user_id: zoe.id,
        plans_data: [OFFER],
        status: 'pending',
        created_at: expect.anything(),
      },
    ])
    expect(await refusalOf(insert(zoe, 'provider_requests', { ...PROVIDER, user_id: ada.id }))).toEqual(
      denied('You can only ask for yourself'),
    )
    expect(await refusalOf(insert(VISITOR, 'provider_requests', PROVIDER))).toMatchObject(DENIED)
  })

  test('is filed under one of ten categories and no other', async () => {
    for (const category of CATEGORIES) {
      const [, ...known] = await insert(await addPerson(db, 'Zoe'), 'provider_requests', {
        ...PROVIDER,
        category,
      })
      expect(known).toEqual([])
    }
    const zoe = await addPerson(db, 'Zoe')
    for (const category of ['streaming', 'Other', 'All', ''])
      expect(await refusalOf(insert(zoe, 'provider_requests', { ...PROVIDER, category }))).toEqual(
        rule('Please select a category'),
      )
  })

  test('keeps of each plan what a plan has, to the cent and in order', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const plans = [
      { ...OFFER, plan_name: ' Solo ', price: 4.999, features: ['One screen', 'أفلام'], admin: true },
      { plan_name: 'House', price: 0, billing_cycle: 'yearly', max_members: 6 },
    ]
    const [request] = await insert(zoe, 'provider_requests', {
      ...PROVIDER,
      plans_data: JSON.stringify(plans),
    })
    const text = 'select plans_data from provider_requests where id = $1'
    expect(await zoe.run(text, [request?.id ?? ''])).toEqual([
      {
        plans_data: [
          { ...OFFER, plan_name: 'Solo', price: 5, features: ['One screen', 'أفلام'] },
          { plan_name: 'House', price: 0, billing_cycle: 'yearly', max_members: 6, features: [] },
        ],
      },
    ])
  })

  const offer = (change: object) => ({ plans_data: JSON.stringify([{ ...OFFER, ...change }]) })
  const refused = async (change: Record<string, string | null>, message: string) => {
    const zoe = await addPerson(db, 'Zoe')
    expect(await refusalOf(insert(zoe, 'provider_requests', { ...PROVIDER, ...change }))).toEqual(
      rule(message),
    )
    expect(await zoe.sql`select id from provider_requests`).toEqual([])
  }

  test.each([
    [{ provider_name: ' M ' }, 'Provider name must be at least 2 characters'],
    [{ provider_name: null }, 'Provider name must be at least 2 characters'],
    [{ provider_name: 'M\u200b\u200d\u2060' }, 'Provider name must be at least 2 characters'],
    [{ provider_name: 'M'.repeat(1_000_000) }, 'Provider name can be at most 100 characters'],
    [{ category: 'Cooking' }, 'Please select a category'],
    [{ category: null }, 'Please select a category'],
  ])('is refused with a name or category of this kind (%#)', refused)

  test.each([
    [{ website_url: 'javascript:alert(1)' }, 'Please enter a valid URL'],
    [{ website_url: 'mubi' }, 'Please enter a valid URL'],
    [{ website_url: 'https://mubi' }, 'Please enter a valid URL'],
    [{ website_url: 'https://mubi.com@evil.example' }, 'Please enter a valid URL'],
    [{ website_url: 'https://mubi.com a' }, 'Please enter a valid URL'],
    [{ website_url: null }, 'Please enter a valid URL'],
    [{ website_url: `https://mubi.com/${'a'.repeat(1_000_000)}` }, 'Please enter a valid URL'],
    [{ description: '  Nine char ' }, 'Description must be at least 10 characters'],
    [{ description: null }, 'Description must be at least 10 characters'],
    [{ description: '\u200b'.repeat(20) }, 'Description must be at least 10 characters'],
    [{ description: 'Films '.repeat(200_000) }, 'Description can be at most 2000 characters'],
  ])('is refused with an address or description of this kind (%#)', refused)

  test.each([
    [{ plans_data: '[]' }, 'At least one plan is required'],
    [{ plans_data: '{}' }, 'At least one plan is required'],
    [{ plans_data: null }, 'At least one plan is required'],
    [{ plans_data: JSON.stringify(Array(51).fill(OFFER)) }, 'These are too many plans'],
    [offer({ features: ['a'.repeat(1_000_000)] }), 'These are too many plans'],
    [offer({ plan_name: ' \u200b' }), 'Plan name is required'],
    [offer({ plan_name: undefined }), 'Plan name is required'],
    [offer({ plan_name: { toString: 'x' } }), 'Plan name is required'],
    [offer({ plan_name: 'x'.repeat(101) }), 'Plan name can be at most 100 characters'],
    [offer({ price: -0.01 }), 'Price must be positive'],
    [offer({ price: '9.99' }), 'Price must be positive'],
    [offer({ price: undefined }), 'Price must be positive'],
    [offer({ price: 100_000.01 }), 'Price can be at most 100,000'],
    [offer({ max_members: 0 }), 'Max members must be at least 1'],
    [offer({ max_members: 0.5 }), 'Max members must be at least 1'],
    [offer({ max_members: undefined }), 'Max members must be at least 1'],
    [offer({ max_members: 2.5 }), 'Max members must be a whole number up to 10,000'],
    [offer({ max_members: 10_001 }), 'Max members must be a whole number up to 10,000'],
    [offer({ billing_cycle: 'weekly' }), 'The billing cycle is monthly or yearly'],
    [offer({ billing_cycle: undefined }), 'The billing cycle is monthly or yearly'],
    [offer({ features: 'HD' }), 'Features are up to 30 texts of at most 200 characters'],
    [offer({ features: [{ name: 'HD' }] }), 'Features are up to 30 texts of at most 200 characters'],
    [offer({ features: ['a'.repeat(201)] }), 'Features are up to 30 texts of at most 200 characters'],
    [offer({ features: Array(31).fill('HD') }), 'Features are up to 30 texts of at most 200 characters'],
  ])('is refused with plans of this kind (%#)', refused)

  test('is taken with right-to-left names, emoji and markup, as they are', async () => {
    const zoe = await addPerson(db, 'Zoe')
    for (const provider_name of ['شاهد', '📺🍿', '<script>alert(1)</script>', "Robert'); drop table"]) {
      const [request] = await insert(zoe, 'provider_requests', { ...PROVIDER, provider_name })
      const text = 'select provider_name from provider_requests where id = $1'
      expect(await zoe.run(text, [request?.id ?? ''])).toEqual([{ provider_name }])
    }
  })

  test('is read by its asker and admins, decided once by admins', async () => {
    const [zoe, mona] = [await addPerson(db, 'Zoe'), await addStaff('Mona', 'moderator')]
    const [request] = await insert(zoe, 'provider_requests', PROVIDER)
    const [other] = await insert(zoe, 'provider_requests', { ...PROVIDER, provider_name: 'Arte' })
    const id = request?.id ?? ''
    const read = (person: Person) => person.sql`select id from provider_requests where id = ${id}`
    expect(await read(zoe)).toHaveLength(1)
    expect(await read(ada)).toHaveLength(1)
    expect(await read(sofia)).toHaveLength(1)
    expect(await read(mona)).toEqual([])
    expect(await refusalOf(VISITOR.sql`select id from provider_requests`)).toMatchObject(DENIED)
    expect(await decide(zoe, 'provider_requests', id, 'approved')).toEqual([])
    expect(await decide(mona, 'provider_requests', id, 'approved')).toEqual([])
    expect(await decide(ada, 'provider_requests', id, 'approved')).toEqual([{ status: 'approved' }])
    for (const status of ['rejected', 'pending'])
      expect(await refusalOf(decide(sofia, 'provider_requests', id, status))).toEqual(
        rule('This request has already been approved'),
      )
    expect(await decide(sofia, 'provider_requests', other?.id ?? '', 'rejected')).toEqual([
      { status: 'rejected' },
    ])
    expect(await titles(zoe)).toEqual(['Provider Request Approved', 'Provider Request Rejected'])
    const newest = 'select provider_name from provider_requests where user_id = $1 order by created_at desc'
    expect(await zoe.run(newest, [zoe.id])).toEqual([{ provider_name: 'Arte' }, { provider_name: 'Mubi' }])
  })

  test('admins count those that wait, nobody else does', async () => {
    const [zoe, mona] = [await addPerson(db, 'Zoe'), await addStaff('Mona', 'moderator')]
    const waiting = async (person: Asker) =>
      (await person.sql`select get_pending_provider_requests_count() as n`)[0]?.n
    const before = Number(await waiting(ada))
    const [first] = await insert(zoe, 'provider_requests', PROVIDER)
    const [second] = await insert(zoe, 'provider_requests', PROVIDER)
    expect(await waiting(ada)).toBe(before + 2)
    await decide(ada, 'provider_requests', first?.id ?? '', 'approved')
    expect(await waiting(sofia)).toBe(before + 1)
    await decide(sofia, 'provider_requests', second?.id ?? '', 'rejected')
    expect(await waiting(ada)).toBe(before)
    for (const person of [zoe, mona])
      expect(await refusalOf(waiting(person))).toEqual(
        denied('Only admins see the provider requests of others'),
      )
    expect(await refusalOf(waiting(VISITOR))).toMatchObject(DENIED)
  })
})

const ACCESS = { name: 'Zoe Day', email: 'zoe@potluck.example', reason: 'I would like to help with payouts.' }

describe('an access request', () => {
  const read = (person: Asker, id = '') => person.sql`select * from admin_role_requests where id = ${id}`
  const roleOf = async (person: Person) =>
    (await sql<{ role: string }>`select role from user_roles where user_id = ${person.id}`)[0]?.role
  const wasReviewedNow = async (id: string) => {
    const text = `select reviewed_at between requested_at and clock_timestamp() as now from admin_role_requests where id = $1`
    return (await db.query(text, [id]))[0]?.now
  }

  test.each([
    [{ name: 'Z' }, 'Name is required'],
    [{ email: 'zoe' }, 'Valid email is required'],
    [{ reason: 'Please' }, 'Please provide a detailed reason for your request'],
  ])('is refused with %j', async (change, message) => {
    const zoe = await addPerson(db, 'Zoe')
    expect(await refusalOf(insert(zoe, 'admin_role_requests', { ...ACCESS, ...change }))).toEqual(
      rule(message),
    )
  })

  test('is taken with a name of two characters and a reason of ten', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const [request] = await insert(zoe, 'admin_role_requests', {
      name: ' Zo ',
      email: zoe.email,
      reason: ' I can help ',
    })
    const [stored] = await read(zoe, request?.id)
    expect(stored).toMatchObject({ name: 'Zo', email: zoe.email, reason: 'I can help', status: 'pending' })
  })

  test('is made in the own name, under the address of the own account, and pending', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const forged = { ...ACCESS, user_id: ada.id }
    expect(await refusalOf(insert(zoe, 'admin_role_requests', forged))).toEqual(
      denied('You can only ask for yourself'),
    )
    for (const set of [{ status: 'approved' }, { reviewed_at: '2026-01-01' }, { requested_at: '2026-01-01' }])
      expect(await refusalOf(insert(zoe, 'admin_role_requests', { ...ACCESS, ...set }))).toMatchObject(DENIED)
    const [request] = await insert(zoe, 'admin_role_requests', { ...ACCESS, email: sofia.email })
    expect(await read(zoe, request?.id)).toMatchObject([
      { user_id: zoe.id, email: zoe.email, status: 'pending', reviewed_at: null },
    ])
  })

  test('approved by a super-admin, it grants the role and dates the review', async () => {
    const [zoe, mona] = [await addPerson(db, 'Zoe'), await addStaff('Mona', 'moderator')]
    const [request] = await insert(zoe, 'admin_role_requests', ACCESS)
    const id = request?.id ?? ''
    for (const person of [ada, mona, zoe])
      for (const status of ['approved', 'rejected'])
        expect(await decide(person, 'admin_role_requests', id, status)).toEqual([])
    expect(await refusalOf(decide(VISITOR, 'admin_role_requests', id, 'approved'))).toMatchObject(DENIED)
    expect(await roleOf(zoe)).toBeUndefined()
    expect(await decide(sofia, 'admin_role_requests', id, 'approved')).toEqual([{ status: 'approved' }])
    expect(await zoe.sql`select role, granted_by from user_roles where user_id = ${zoe.id}`).toEqual([
      { role: 'admin', granted_by: sofia.id },
    ])
    expect(await wasReviewedNow(id)).toBe(true)
    expect(await titles(zoe)).toEqual(['Admin Access Approved'])
    for (const status of ['rejected', 'pending'])
      expect(await refusalOf(decide(sofia, 'admin_role_requests', id, status))).toEqual(
        rule('This request has already been approved'),
      )
    expect(await roleOf(zoe)).toBe('admin')
  })

  test.each([
    ['moderator', 'admin'],
    ['admin', 'admin'],
    ['super-admin', 'super-admin'],
  ])('approved, it makes a %s: %s', async (held, becomes) => {
    const mona = await addStaff('Mona', held)
    const [request] = await insert(mona, 'admin_role_requests', ACCESS)
    await decide(sofia, 'admin_role_requests', request?.id ?? '', 'approved')
    expect(await roleOf(mona)).toBe(becomes)
  })

  test('stays pending when the role cannot be granted, and nobody is told anything', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const [request] = await insert(zoe, 'admin_role_requests', ACCESS)
    const id = request?.id ?? ''
    // As an operator may close the team for a while.
    await sql`alter table user_roles add constraint team_is_closed check (role <> 'admin') not valid`
    expect(await refusalOf(decide(sofia, 'admin_role_requests', id, 'approved'))).toEqual(
      rule('Failed to assign admin role'),
    )
    await sql`alter table user_roles drop constraint team_is_closed`
    expect(await read(zoe, id)).toMatchObject([{ status: 'pending', reviewed_at: null }])
    expect(await roleOf(zoe)).toBeUndefined()
    expect(await titles(zoe)).toEqual([])
    expect(await decide(sofia, 'admin_role_requests', id, 'approved')).toEqual([{ status: 'approved' }])
    expect(await roleOf(zoe)).toBe('admin')
  })

  test('rejected, it dates the review, grants nothing and is final', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const [request] = await insert(zoe, 'admin_role_requests', ACCESS)
    const id = request?.id ?? ''
    expect(await decide(sofia, 'admin_role_requests', id, 'rejected')).toEqual([{ status: 'rejected' }])
    expect(await wasReviewedNow(id)).toBe(true)
    expect(await roleOf(zoe)).toBeUndefined()
    expect(await titles(zoe)).toEqual(['Admin Access Rejected'])
    for (const status of ['approved', 'pending'])
      expect(await refusalOf(decide(sofia, 'admin_role_requests', id, status))).toMatchObject({
        message: 'This request has already been rejected',
      })
    expect(await insert(zoe, 'admin_role_requests', ACCESS)).toMatchObject([{ status: 'pending' }])
  })

  test('is dated by the database, whatever was sent along or later', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const [request] = await insert(zoe, 'admin_role_requests', ACCESS)
    const id = request?.id ?? ''
    const dateOnly = `update admin_role_requests set reviewed_at = '2001-01-01' where id = $1 returning reviewed_at`
    expect(await sofia.run(dateOnly, [id])).toEqual([{ reviewed_at: null }])
    const both = `update admin_role_requests set status = 'rejected', reviewed_at = '2001-01-01' where id = $1`
    await sofia.run(both, [id])
    expect(await wasReviewedNow(id)).toBe(true)
    await sofia.run(dateOnly, [id])
    expect(await wasReviewedNow(id)).toBe(true)
  })

  test('is read by its asker and admins, and asked once at a time', async () => {
    const [zoe, mona] = [await addPerson(db, 'Zoe'), await addStaff('Mona', 'moderator')]
    const [request] = await insert(zoe, 'admin_role_requests', ACCESS)
    const id = request?.id
    for (const person of [zoe, ada, sofia]) expect(await read(person, id)).toHaveLength(1)
    for (const person of [mona, await addPerson(db, 'Marc')]) expect(await read(person, id)).toEqual([])
    expect(await refusalOf(read(VISITOR, id))).toMatchObject(DENIED)
    expect(await refusalOf(insert(zoe, 'admin_role_requests', ACCESS))).toMatchObject({ code: '23505' })
    expect(await refusalOf(insert(VISITOR, 'admin_role_requests', ACCESS))).toMatchObject(DENIED)
    for (const change of [
      'delete from admin_role_requests',
      `update admin_role_requests set reason = 'Please let me in'`,
    ])
      expect(await refusalOf(zoe.run(change))).toMatchObject(DENIED)
  })
})

describe('staff that asks', () => {
  const OWN = denied('Someone else decides about your own request')

  test('leaves the own provider request to somebody else', async () => {
    const [request] = await insert(ada, 'provider_requests', PROVIDER)
    const id = request?.id ?? ''
    for (const status of ['approved', 'rejected'])
      expect(await refusalOf(decide(ada, 'provider_requests', id, status))).toEqual(OWN)
    expect(await decide(sofia, 'provider_requests', id, 'approved')).toEqual([{ status: 'approved' }])
  })

  test('leaves the own access request to another super-admin', async () => {
    const [request] = await insert(sofia, 'admin_role_requests', {
      name: 'Sofia',
      email: sofia.email,
      reason: 'Because I would like it.',
    })
    const id = request?.id ?? ''
    for (const status of ['approved', 'rejected'])
      expect(await refusalOf(decide(sofia, 'admin_role_requests', id, status))).toEqual(OWN)
    const sam = await addStaff('Sam', 'super-admin')
    expect(await decide(sam, 'admin_role_requests', id, 'rejected')).toEqual([{ status: 'rejected' }])
  })
})
