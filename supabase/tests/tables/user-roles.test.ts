import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../server/test/harness.ts'
import { addPerson, as, DENIED, type Person, refusalOf, rule, VISITOR } from '../people.ts'

const db = await testDatabase()
let sofia: Person
beforeAll(async () => {
  sofia = await addStaff('Sofia', 'super-admin')
})

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
  test('a super-admin grants one, changes it and takes it away, and stands as the granter', async () => {
    const zoe = await addPerson(db, 'Zoe')
    expect(await grant(sofia, zoe, 'moderator')).toEqual([{ role: 'moderator', granted_by: sofia.id }])
    expect(await grant(sofia, zoe, 'admin')).toEqual([{ role: 'admin', granted_by: sofia.id }])
    expect(await take(sofia, zoe)).toEqual([{ role: 'admin' }])
  })

  test.each(['admin', 'moderator', ''])('nobody else does: "%s"', async (role) => {
    const person = role === '' ? await addPerson(db, 'Zoe') : await addStaff('Ada', role)
    expect(await refusalOf(grant(person, person, 'super-admin'))).toMatchObject(DENIED)
    expect(await take(person, sofia)).toEqual([])
    expect(await refusalOf(grant(VISITOR, person, 'admin'))).toMatchObject(DENIED)
  })

  test('what an account says of itself grants nothing', async () => {
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
    expect(await refusalOf(grant({ caller }, zoe, 'admin'))).toMatchObject(DENIED)
  })

  test('people read their own role, staff reads all', async () => {
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
    const refused = rule('The last super-admin cannot be removed')
    expect(await refusalOf(take(sofia, sofia))).toEqual(refused)
    expect(await refusalOf(grant(sofia, sofia, 'admin'))).toEqual(refused)
    expect(await refusalOf(db.query('delete from user_roles'))).toEqual(refused)
    const second = await addStaff('Selma', 'super-admin')
    expect(await take(sofia, second)).toHaveLength(1)
  })

  test('the last super-admin stays when the account is to go, which then stays too', async () => {
    const refused = rule('The last super-admin cannot be removed')
    const deleteAccount = (person: Person) => db.query('delete from auth.users where id = $1', [person.id])
    expect(await refusalOf(deleteAccount(sofia))).toEqual(refused)
    expect(await refusalOf(as(db, sofia, 'select delete_own_account(true)'))).toEqual(refused)
    const second = await addStaff('Selma', 'super-admin')
    await deleteAccount(second)
    expect(await refusalOf(deleteAccount(sofia))).toEqual(refused)
  })

  test('somebody whose account has ended is no super-admin to fall back on', async () => {
    const ended = await addStaff('Selma', 'super-admin')
    await db.query('update auth.users set deleted_at = now() where id = $1', [ended.id])
    expect(await refusalOf(take(sofia, sofia))).toMatchObject({ code: '23514' })
    await db.query('delete from user_roles where user_id = $1', [ended.id])
  })
})

describe('what a role allows', () => {
  const decisions = async (caller: Person['caller']) =>
    (
      await as(
        db,
        { caller },
        'select private.is_staff() as staff, private.is_admin() as admin, private.is_super_admin() as super',
      )
    )[0]

  test('is decided in one place, and a role of another name allows nothing', async () => {
    await db.query(`insert into system_roles (name, permissions) values ('editor', '{roles.manage}')`)
    const nothing = { staff: false, admin: false, super: false }
    for (const [role, allowed] of [
      ['moderator', { ...nothing, staff: true }],
      ['admin', { staff: true, admin: true, super: false }],
      ['super-admin', { staff: true, admin: true, super: true }],
      ['editor', nothing],
    ] as const) {
      expect([role, await decisions((await addStaff('Ada', role)).caller)]).toEqual([role, allowed])
    }
    await db.query(`delete from user_roles where role in ('editor', 'super-admin') and user_id <> $1`, [
      sofia.id,
    ])
    await db.query(`delete from system_roles where name = 'editor'`)
  })

  test('is nothing, and never unknown, without a role, an account or a sign-in', async () => {
    const nothing = { staff: false, admin: false, super: false }
    const zoe = await addPerson(db, 'Zoe')
    expect(await decisions(zoe.caller)).toEqual(nothing)
    for (const sub of [randomUUID(), null]) {
      const claims = JSON.stringify({
        sub,
        role: 'authenticated',
        email: 'ada@admin.test',
        app_role: 'admin',
      })
      expect(await decisions({ role: 'authenticated', claims })).toEqual(nothing)
    }
  })

  test('is refused, not granted, when it cannot be looked up', async () => {
    const ada = await addStaff('Ada', 'admin')
    const [kept] = await db.query<{ sql: string }>(
      `select pg_get_functiondef('private.my_role'::regproc) as sql`,
    )
    await db.query(kept?.sql.replace(/select role from .*/, 'select (1 / (random() * 0)::int)::text') ?? '')
    try {
      for (const sql of ['select private.is_admin()', 'select * from user_roles'])
        expect(await refusalOf(as(db, ada, sql))).toMatchObject({ code: '22012' })
    } finally {
      await db.query(kept?.sql ?? '')
    }
    expect(await decisions(ada.caller)).toMatchObject({ admin: true })
  })

  test('a person has one role or none, and a row says who granted it', async () => {
    const columns = await db.query<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_schema = 'public' and table_name = 'user_roles' order by ordinal_position`,
    )
    expect(columns.map(({ name }) => name)).toEqual(['user_id', 'role', 'granted_by', 'granted_at'])
    const zoe = await addStaff('Zoe', 'moderator')
    const second = `insert into user_roles (user_id, role) values ($1, 'admin')`
    expect(await refusalOf(as(db, sofia, second, [zoe.id]))).toMatchObject({ code: '23505' })
    expect(await refusalOf(db.query(second, [zoe.id]))).toMatchObject({ code: '23505' })
  })
})
