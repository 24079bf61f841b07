import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../../server/test/harness.ts'
import { addPerson, as, type Person, refusalOf, VISITOR } from '../people.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
let ada: Person
let sofia: Person
beforeAll(async () => {
  db = await openTestDatabase()
  ada = await addStaff('Ada', 'admin')
  sofia = await addStaff('Sofia', 'super-admin')
})
afterAll(() => db.close())

async function addStaff(name: string, role: string): Promise<Person> {
  const person = await addPerson(db, name)
  await db.query('insert into user_roles (user_id, role) values ($1, $2)', [person.id, role])
  return person
}
const insert = (person: Pick<Person, 'caller'>, table: string, row: Record<string, string | null>) => {
  const columns = Object.keys(row)
  const places = columns.map((_, index) => `$${index + 1}`).join(', ')
  const text = `insert into ${table} (${columns.join(', ')}) values (${places}) returning id, user_id, status`
  return as<{ id: string; user_id: string; status: string }>(db, person, text, Object.values(row))
}
const decide = (person: Pick<Person, 'caller'>, table: string, id: string, status: string) =>
  as(db, person, `update ${table} set status = $1 where id = $2 returning status`, [status, id])
const titles = async (person: Person) =>
  (await as<{ title: string }>(db, person, 'select title from user_notifications')).map(({ title }) => title)

const OFFER = { plan_name: 'Family', price: 9.99, billing_cycle: 'monthly', max_members: 4, features: [] }
const PROVIDER = {
  provider_name: 'Mubi',
  category: 'Streaming',
  website_url: 'https://mubi.com',
  description: 'Hand-picked films, a new one a day.',
  plans_data: JSON.stringify([OFFER]),
}

describe('a provider request', () => {
  test('PROVREQ-05 DATA-16 API-33 is stored as pending, in the name of who is signed in', async () => {
    const zoe = await addPerson(db, 'Zoe')
    expect(await insert(zoe, 'provider_requests', PROVIDER)).toMatchObject([
      { user_id: zoe.id, status: 'pending' },
    ])
    expect(await refusalOf(insert(zoe, 'provider_requests', { ...PROVIDER, user_id: ada.id }))).toEqual({
      code: '42501',
      message: 'You can only ask for yourself',
    })
    expect(await refusalOf(insert(VISITOR, 'provider_requests', PROVIDER))).toMatchObject({ code: '42501' })
  })

  const offer = (change: object) => ({ plans_data: JSON.stringify([{ ...OFFER, ...change }]) })
  test.each([
    ['VALID-18', { provider_name: ' M ' }, 'Provider name must be at least 2 characters'],
    ['VALID-18', { category: 'Cooking' }, 'Please select a category'],
    ['VALID-19', { website_url: 'javascript:alert(1)' }, 'Please enter a valid URL'],
    ['VALID-19', { website_url: 'mubi' }, 'Please enter a valid URL'],
    ['VALID-19', { description: 'Films' }, 'Description must be at least 10 characters'],
    ['VALID-20', { plans_data: '[]' }, 'At least one plan is required'],
    ['VALID-20', { plans_data: '{}' }, 'At least one plan is required'],
    ['VALID-20', offer({ plan_name: ' ' }), 'Plan name is required'],
    ['VALID-20', offer({ price: -1 }), 'Price must be positive'],
    ['VALID-20', offer({ price: '9.99' }), 'Price must be positive'],
    ['VALID-20', offer({ max_members: 0 }), 'Max members must be at least 1'],
    ['VALID-20', offer({ billing_cycle: 'weekly' }), 'The billing cycle is monthly or yearly'],
  ])('%s is refused with %j', async (_id, change, message) => {
    const zoe = await addPerson(db, 'Zoe')
    expect(await refusalOf(insert(zoe, 'provider_requests', { ...PROVIDER, ...change }))).toEqual({
      code: '23514',
      message,
    })
  })

  test('PROVREQ-08 API-18 NOTIF-11 is read by its asker and admins, decided once by admins', async () => {
    const [zoe, mona] = [await addPerson(db, 'Zoe'), await addStaff('Mona', 'moderator')]
    const [request] = await insert(zoe, 'provider_requests', PROVIDER)
    const id = request?.id ?? ''
    const read = (person: Person) => as(db, person, 'select id from provider_requests where id = $1', [id])
    expect(await read(zoe)).toHaveLength(1)
    expect(await read(ada)).toHaveLength(1)
    expect(await read(mona)).toEqual([])
    expect(await decide(zoe, 'provider_requests', id, 'approved')).toEqual([])
    expect(await decide(ada, 'provider_requests', id, 'approved')).toEqual([{ status: 'approved' }])
    expect(await refusalOf(decide(ada, 'provider_requests', id, 'rejected'))).toEqual({
      code: '23514',
      message: 'This request has already been approved',
    })
    expect(await titles(zoe)).toEqual(['Provider Request Approved'])
  })

  test('API-49 ADMIN-07 admins count those that wait, nobody else does', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const waiting = async (person: Pick<Person, 'caller'>) =>
      Number((await as(db, person, 'select get_pending_provider_requests_count() as n'))[0]?.n)
    const before = await waiting(ada)
    await insert(zoe, 'provider_requests', PROVIDER)
    expect(await waiting(ada)).toBe(before + 1)
    expect(await refusalOf(waiting(zoe))).toEqual({
      code: '42501',
      message: 'Only admins see the provider requests of others',
    })
    expect(await refusalOf(waiting(VISITOR))).toMatchObject({ code: '42501' })
  })
})

const ACCESS = { name: 'Zoe Day', email: 'zoe@potluck.example', reason: 'I would like to help with payouts.' }

describe('an access request', () => {
  test.each([
    [{ name: 'Z' }, 'Name is required'],
    [{ email: 'zoe' }, 'Valid email is required'],
    [{ reason: 'Please' }, 'Please provide a detailed reason for your request'],
  ])('VALID-23 is refused with %j', async (change, message) => {
    const zoe = await addPerson(db, 'Zoe')
    expect(await refusalOf(insert(zoe, 'admin_role_requests', { ...ACCESS, ...change }))).toEqual({
      code: '23514',
      message,
    })
  })

  test('ADMIN-18 DATA-20 NOTIF-11 approved by a super-admin, it grants the role and dates the review', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const [request] = await insert(zoe, 'admin_role_requests', ACCESS)
    const id = request?.id ?? ''
    expect(await decide(ada, 'admin_role_requests', id, 'approved')).toEqual([])
    expect(await decide(zoe, 'admin_role_requests', id, 'approved')).toEqual([])
    expect(await as(db, zoe, 'select role from user_roles where user_id = $1', [zoe.id])).toEqual([])
    expect(await decide(sofia, 'admin_role_requests', id, 'approved')).toEqual([{ status: 'approved' }])
    expect(
      await as(
        db,
        zoe,
        `select role, granted_by, (select reviewed_at is not null from admin_role_requests where id = $1) as dated
         from user_roles where user_id = $2`,
        [id, zoe.id],
      ),
    ).toEqual([{ role: 'admin', granted_by: sofia.id, dated: true }])
    expect(await titles(zoe)).toEqual(['Admin Access Approved'])
  })

  test('ADMIN-20 rejected, it grants nothing and is final', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const [request] = await insert(zoe, 'admin_role_requests', ACCESS)
    const id = request?.id ?? ''
    await decide(sofia, 'admin_role_requests', id, 'rejected')
    expect(await as(db, zoe, 'select role from user_roles where user_id = $1', [zoe.id])).toEqual([])
    expect(await refusalOf(decide(sofia, 'admin_role_requests', id, 'approved'))).toMatchObject({
      message: 'This request has already been rejected',
    })
  })

  test('ADMIN-16 API-36 is read by its asker and admins, and asked once at a time', async () => {
    const [zoe, mona] = [await addPerson(db, 'Zoe'), await addStaff('Mona', 'moderator')]
    const [request] = await insert(zoe, 'admin_role_requests', ACCESS)
    const read = (person: Person) =>
      as(db, person, 'select id from admin_role_requests where id = $1', [request?.id ?? ''])
    expect(await read(zoe)).toHaveLength(1)
    expect(await read(ada)).toHaveLength(1)
    expect(await read(mona)).toEqual([])
    expect(await refusalOf(insert(zoe, 'admin_role_requests', ACCESS))).toMatchObject({ code: '23505' })
    expect(await refusalOf(insert(VISITOR, 'admin_role_requests', ACCESS))).toMatchObject({ code: '42501' })
  })
})
