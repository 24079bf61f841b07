import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../../server/test/harness.ts'
import { addPerson, as, type Person, refusalOf, VISITOR } from '../people.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
let sofia: Person
beforeAll(async () => {
  db = await openTestDatabase()
  sofia = await addStaff('Sofia', 'super-admin')
})
afterAll(() => db.close())

async function addStaff(name: string, role: string): Promise<Person> {
  const person = await addPerson(db, name)
  await db.query('insert into user_roles (user_id, role) values ($1, $2)', [person.id, role])
  return person
}
const grant = (granter: Pick<Person, 'caller'>, person: Person, role: string) =>
  as(
    db,
    granter,
    `insert into user_roles (user_id, role, granted_by) values ($1, $2, $1)
     on conflict (user_id) do update set role = excluded.role, granted_by = excluded.granted_by
     returning role, granted_by`,
    [person.id, role],
  )
const take = (granter: Pick<Person, 'caller'>, person: Person) =>
  as(db, granter, 'delete from user_roles where user_id = $1 returning role', [person.id])

describe('roles', () => {
  test('ROLE-06 API-32 a super-admin grants one, changes it and takes it away, and stands as the granter', async () => {
    const zoe = await addPerson(db, 'Zoe')
    expect(await grant(sofia, zoe, 'moderator')).toEqual([{ role: 'moderator', granted_by: sofia.id }])
    expect(await grant(sofia, zoe, 'admin')).toEqual([{ role: 'admin', granted_by: sofia.id }])
    expect(await take(sofia, zoe)).toEqual([{ role: 'admin' }])
  })

  test.each(['admin', 'moderator', ''])('ROLE-08 nobody else does: "%s"', async (role) => {
    const person = role === '' ? await addPerson(db, 'Zoe') : await addStaff('Ada', role)
    expect(await refusalOf(grant(person, person, 'super-admin'))).toMatchObject({ code: '42501' })
    expect(await take(person, sofia)).toEqual([])
    expect(await refusalOf(grant(VISITOR, person, 'admin'))).toMatchObject({ code: '42501' })
  })

  test('ROLE-05 what an account says of itself grants nothing', async () => {
    const zoe = await addPerson(db, 'Zoe')
    await db.query(`update auth.users set raw_user_meta_data = '{"role":"super-admin"}' where id = $1`, [
      zoe.id,
    ])
    const claims = JSON.stringify({
      sub: zoe.id,
      role: 'authenticated',
      user_metadata: { role: 'super-admin' },
    })
    const caller = { role: 'authenticated', claims }
    expect(await refusalOf(grant({ caller }, zoe, 'admin'))).toMatchObject({ code: '42501' })
  })

  test('API-16 people read their own role, staff reads all', async () => {
    const zoe = await addPerson(db, 'Zoe')
    const mona = await addStaff('Mona', 'moderator')
    expect(await as(db, zoe, 'select role from user_roles')).toEqual([])
    expect(await as(db, mona, 'select role from user_roles where user_id = $1', [mona.id])).toEqual([
      { role: 'moderator' },
    ])
    expect(await as(db, mona, 'select role from user_roles where user_id = $1', [sofia.id])).toHaveLength(1)
  })

  test('a role must exist', async () => {
    const zoe = await addPerson(db, 'Zoe')
    expect(await refusalOf(grant(sofia, zoe, 'emperor'))).toMatchObject({ code: '23503' })
  })

  test('the last super-admin stays, the last but one may go', async () => {
    expect(await refusalOf(take(sofia, sofia))).toEqual({
      code: '23514',
      message: 'The last super-admin cannot be removed',
    })
    expect(await refusalOf(grant(sofia, sofia, 'admin'))).toMatchObject({ code: '23514' })
    const second = await addStaff('Selma', 'super-admin')
    expect(await take(sofia, second)).toHaveLength(1)
  })
})

describe('system roles', () => {
  test('ADMIN-30 come with their permissions', async () => {
    expect(
      await as(
        db,
        sofia,
        'select name, cardinality(permissions) as permissions from system_roles order by 1',
      ),
    ).toEqual([
      { name: 'admin', permissions: 5 },
      { name: 'moderator', permissions: 3 },
      { name: 'super-admin', permissions: 8 },
    ])
    expect(await as(db, sofia, 'select name from system_permissions')).toHaveLength(8)
  })

  test('ADMIN-28 are for staff to read', async () => {
    const zoe = await addPerson(db, 'Zoe')
    expect(await as(db, zoe, 'select name from system_roles')).toEqual([])
    expect(await as(db, zoe, 'select name from system_permissions')).toEqual([])
  })
})
