import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Asker,
  addPerson,
  addStaff,
  calling,
  DENIED,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
} from '../people.ts'

const { db, sql } = await ownDatabase()
let sofia: Person
beforeAll(async () => {
  sofia = await addStaff(db, 'Sofia', 'super-admin')
})

const grant = (granter: Asker, person: Person, role: string) =>
  granter.sql`insert into user_roles (user_id, role) values (${person.id}, ${role})
     on conflict (user_id) do update set role = excluded.role
     returning role, granted_by`
const take = (granter: Asker, person: Person) =>
  granter.sql`delete from user_roles where user_id = ${person.id} returning role`

describe('roles', () => {
  test('a super-admin grants one, changes it and takes it away, and stands as the granter', async () => {
    const zoe = await addPerson(db, 'Zoe')
    expect(await grant(sofia, zoe, 'moderator')).toEqual([{ role: 'moderator', granted_by: sofia.id }])
    expect(await grant(sofia, zoe, 'admin')).toEqual([{ role: 'admin', granted_by: sofia.id }])
    expect(await take(sofia, zoe)).toEqual([{ role: 'admin' }])
  })

  test('what an account says of itself grants nothing', async () => {
    const zoe = await addPerson(db, 'Zoe')
    await sql`update auth.users set raw_user_meta_data = '{"role":"super-admin"}' where id = ${zoe.id}`
    const claims = JSON.stringify({
      sub: zoe.id,
      role: 'authenticated',
      user_metadata: { role: 'super-admin' },
    })
    expect(
      await refusalOf(grant(calling(db, { role: 'authenticated', claims }), zoe, 'admin')),
    ).toMatchObject(DENIED)
  })

  test('a role must exist', async () => {
    const zoe = await addPerson(db, 'Zoe')
    expect(await refusalOf(grant(sofia, zoe, 'emperor'))).toMatchObject({ code: '23503' })
  })

  test('the last super-admin stays, the last but one may go', async () => {
    const refused = rule('The last super-admin cannot be removed')
    expect(await refusalOf(take(sofia, sofia))).toEqual(refused)
    expect(await refusalOf(grant(sofia, sofia, 'admin'))).toEqual(refused)
    expect(await refusalOf(sql`delete from user_roles`)).toEqual(refused)
    const second = await addStaff(db, 'Selma', 'super-admin')
    expect(await take(sofia, second)).toHaveLength(1)
  })

  test('the last super-admin stays when the account is to go, which then stays too', async () => {
    const refused = rule('The last super-admin cannot be removed')
    const deleteAccount = (person: Person) => sql`delete from auth.users where id = ${person.id}`
    expect(await refusalOf(deleteAccount(sofia))).toEqual(refused)
    expect(await refusalOf(sofia.sql`select delete_own_account(true)`)).toEqual(refused)
    const second = await addStaff(db, 'Selma', 'super-admin')
    await deleteAccount(second)
    expect(await refusalOf(deleteAccount(sofia))).toEqual(refused)
  })

  test('somebody whose account has ended is no super-admin to fall back on', async () => {
    const ended = await addStaff(db, 'Selma', 'super-admin')
    await sql`update auth.users set deleted_at = now() where id = ${ended.id}`
    expect(await refusalOf(take(sofia, sofia))).toMatchObject({ code: '23514' })
    await sql`delete from user_roles where user_id = ${ended.id}`
  })
})

describe('what a role allows', () => {
  const decisions = async (person: Asker) =>
    (
      await person.run(
        `select private.is_staff() as staff, private.may('users.edit') as admin, private.may('roles.manage') as super`,
      )
    )[0]

  test('is decided in one place, by what each role allows', async () => {
    await sql`insert into system_roles (name, permissions) values ('editor', '{roles.manage}'), ('nobody', '{}')`
    const nothing = { staff: false, admin: false, super: false }
    for (const [role, allowed] of [
      ['moderator', { ...nothing, staff: true }],
      ['admin', { staff: true, admin: true, super: false }],
      ['super-admin', { staff: true, admin: true, super: true }],
      ['editor', { staff: true, admin: false, super: true }],
      ['nobody', nothing],
    ] as const) {
      expect([role, await decisions(await addStaff(db, 'Ada', role))]).toEqual([role, allowed])
    }
    await sql`delete from user_roles where role in ('editor', 'nobody', 'super-admin') and user_id <> ${sofia.id}`
    await sql`delete from system_roles where name in ('editor', 'nobody')`
  })

  test('is nothing, and never unknown, without a role, an account or a sign-in', async () => {
    const nothing = { staff: false, admin: false, super: false }
    const zoe = await addPerson(db, 'Zoe')
    expect(await decisions(zoe)).toEqual(nothing)
    for (const sub of [randomUUID(), null]) {
      const claims = JSON.stringify({
        sub,
        role: 'authenticated',
        email: 'ada@admin.test',
        app_role: 'admin',
      })
      expect(await decisions(calling(db, { role: 'authenticated', claims }))).toEqual(nothing)
    }
  })

  test('is refused, not granted, when it cannot be looked up', async () => {
    const ada = await addStaff(db, 'Ada', 'admin')
    const [kept] = await sql<{
      sql: string
    }>`select pg_get_functiondef('private.my_permissions'::regproc) as sql`
    await db.query(
      kept?.sql.replace(
        /select role.permissions from/,
        'select array[(1 / (random() * 0)::int)::text] from',
      ) ?? '',
    )
    try {
      for (const sql of [`select private.may('users.edit')`, 'select * from user_roles'])
        expect(await refusalOf(ada.run(sql))).toMatchObject({ code: '22012' })
    } finally {
      await db.query(kept?.sql ?? '')
    }
    expect(await decisions(ada)).toMatchObject({ admin: true })
  })

  test('a person has one role or none, and a row says who granted it', async () => {
    const columns = await sql<{ name: string }>`select column_name as name from information_schema.columns
       where table_schema = 'public' and table_name = 'user_roles' order by ordinal_position`
    expect(columns.map(({ name }) => name)).toEqual(['user_id', 'role', 'granted_by', 'granted_at'])
    const zoe = await addStaff(db, 'Zoe', 'moderator')
    const second = `insert into user_roles (user_id, role) values ($1, 'admin')`
    expect(await refusalOf(sofia.run(second, [zoe.id]))).toMatchObject({ code: '23505' })
    expect(await refusalOf(db.query(second, [zoe.id]))).toMatchObject({ code: '23505' })
  })
})
