import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Asker,
  addPerson,
  addStaff,
  DENIED,
  denied,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
} from '../people.ts'

const { db, VISITOR } = await ownDatabase()
let ada: Person
let sofia: Person
beforeAll(async () => {
  ada = await addStaff(db, 'Ada', 'admin')
  sofia = await addStaff(db, 'Sofia', 'super-admin')
})

const decide = (person: Asker, id: string, status: string) =>
  person.sql`update provider_requests set status = ${status} where id = ${id} returning status`
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
    const request = await zoe.insert('provider_requests', {
      ...PROVIDER,
      user_id: zoe.id,
      status: 'pending',
    })
    const stored = await zoe.sql`select * from provider_requests where id = ${request.id}`
    expect(stored).toEqual([
      {
        ...PROVIDER,
        id: request.id,
        user_id: zoe.id,
        plans_data: [OFFER],
        status: 'pending',
        created_at: expect.anything(),
      },
    ])
    expect(await refusalOf(zoe.insert('provider_requests', { ...PROVIDER, user_id: ada.id }))).toEqual(
      denied('You can only ask for yourself'),
    )
    expect(await refusalOf(VISITOR.insert('provider_requests', PROVIDER))).toMatchObject(DENIED)
  })

  test('is filed under one of ten categories and no other', async () => {
    for (const category of CATEGORIES)
      await (await addPerson(db, 'Zoe')).insert('provider_requests', { ...PROVIDER, category })
    const zoe = await addPerson(db, 'Zoe')
    for (const category of ['streaming', 'Other', 'All', ''])
      expect(await refusalOf(zoe.insert('provider_requests', { ...PROVIDER, category }))).toEqual(
        rule('Please select a category'),
      )
  })

  test('keeps of each plan what a plan has, to the cent and in order', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const plans = [
      { ...OFFER, plan_name: ' Solo ', price: 4.999, features: ['One screen', 'أفلام'], admin: true },
      { plan_name: 'House', price: 0, billing_cycle: 'yearly', max_members: 6 },
    ]
    const request = await zoe.insert('provider_requests', {
      ...PROVIDER,
      plans_data: JSON.stringify(plans),
    })
    const text = 'select plans_data from provider_requests where id = $1'
    expect(await zoe.run(text, [request.id])).toEqual([
      {
        plans_data: [
          { ...OFFER, plan_name: 'Solo', price: 5, features: ['One screen', 'أفلام'] },
          { plan_name: 'House', price: 0, billing_cycle: 'yearly', max_members: 6, features: [] },
        ],
      },
    ])
  })

  test('is taken with right-to-left names, emoji and markup, as they are', async () => {
    const zoe = await addPerson(db, 'Zoe')
    for (const provider_name of ['شاهد', '📺🍿', '<script>alert(1)</script>', "Robert'); drop table"]) {
      const request = await zoe.insert('provider_requests', { ...PROVIDER, provider_name })
      const text = 'select provider_name from provider_requests where id = $1'
      expect(await zoe.run(text, [request.id])).toEqual([{ provider_name }])
    }
  })

  test('is read by its asker and admins, decided once by admins', async () => {
    const [zoe, mona] = [await addPerson(db, 'Zoe'), await addStaff(db, 'Mona', 'moderator')]
    const request = await zoe.insert('provider_requests', PROVIDER)
    const other = await zoe.insert('provider_requests', { ...PROVIDER, provider_name: 'Arte' })
    const id = request.id
    const read = (person: Person) => person.sql`select id from provider_requests where id = ${id}`
    expect(await read(zoe)).toHaveLength(1)
    expect(await read(ada)).toHaveLength(1)
    expect(await read(sofia)).toHaveLength(1)
    expect(await read(mona)).toEqual([])
    expect(await refusalOf(VISITOR.sql`select id from provider_requests`)).toMatchObject(DENIED)
    expect(await decide(zoe, id, 'approved')).toEqual([])
    expect(await decide(mona, id, 'approved')).toEqual([])
    expect(await decide(ada, id, 'approved')).toEqual([{ status: 'approved' }])
    for (const status of ['rejected', 'pending'])
      expect(await refusalOf(decide(sofia, id, status))).toEqual(
        rule('This request has already been approved'),
      )
    expect(await decide(sofia, other.id, 'rejected')).toEqual([{ status: 'rejected' }])
    expect(await titles(zoe)).toEqual(['Provider Request Approved', 'Provider Request Rejected'])
    await db.query(
      `update provider_requests set created_at = created_at - interval '1 minute' where id = $1`,
      [id],
    )
    const newest = 'select provider_name from provider_requests where user_id = $1 order by created_at desc'
    expect(await zoe.run(newest, [zoe.id])).toEqual([{ provider_name: 'Arte' }, { provider_name: 'Mubi' }])
  })

  test('admins count those that wait, nobody else does', async () => {
    const [zoe, mona] = [await addPerson(db, 'Zoe'), await addStaff(db, 'Mona', 'moderator')]
    const waiting = async (person: Asker) =>
      (await person.sql`select get_pending_provider_requests_count() as n`)[0]?.n
    const before = Number(await waiting(ada))
    const first = await zoe.insert('provider_requests', PROVIDER)
    const second = await zoe.insert('provider_requests', PROVIDER)
    expect(await waiting(ada)).toBe(before + 2)
    await decide(ada, first.id, 'approved')
    expect(await waiting(sofia)).toBe(before + 1)
    await decide(sofia, second.id, 'rejected')
    expect(await waiting(ada)).toBe(before)
    for (const person of [zoe, mona])
      expect(await refusalOf(waiting(person))).toEqual(
        denied('Only admins see the provider requests of others'),
      )
    expect(await refusalOf(waiting(VISITOR))).toMatchObject(DENIED)
  })

  const OWN = denied('Someone else decides about your own request')

  test('of an admin is decided by somebody else', async () => {
    const request = await ada.insert('provider_requests', PROVIDER)
    const id = request.id
    for (const status of ['approved', 'rejected'])
      expect(await refusalOf(decide(ada, id, status))).toEqual(OWN)
    expect(await decide(sofia, id, 'approved')).toEqual([{ status: 'approved' }])
  })
})
