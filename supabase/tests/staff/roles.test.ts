// Roles: their permissions, the people who define, grant and revoke them, and that the site never loses its last
// super-admin.
// Proves ROLE 01-06, ADMIN 28-31, DATA 13 21, API 32, VALID 25
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { columnOf, DENIED, denied, expectRefusal, rule, single } from '../answers.ts'
import { type Asker, addPerson, addStaff, calling, ownDatabase, type Person } from '../people.ts'

const { db, sql } = await ownDatabase()
const sofia = await addStaff(db, 'Sofia', 'super-admin')
const ada = await addStaff(db, 'Ada', 'admin')
await addStaff(db, 'Mona', 'moderator')
const zoe = await addPerson(db, 'Zoe')

const PERMISSIONS = [
  ...['users.view', 'users.edit', 'users.delete'],
  ...['subscriptions.view', 'subscriptions.approve', 'subscriptions.delete'],
  ...['roles.manage', 'settings.edit'],
]
const list = (person: Asker) =>
  columnOf<Record<string, unknown>>(person.sql`select to_jsonb(role) from list_system_roles() as role`)
const define = async (person: Asker, name: string, permissions: string[] = []) =>
  (
    await person.run(
      `insert into system_roles (name, description, permissions) values ($1, 'Writes the news', $2) returning id, name`,
      [name, `{${permissions.join(',')}}`],
    )
  )[0]
const edit = (person: Asker, name: string, change: string) =>
  person.run(`update system_roles set ${change} where name = $1 returning *`, [name])
const grant = (granter: Asker, person: Person, role: string) =>
  granter.sql`insert into user_roles (user_id, role) values (${person.id}, ${role})
     on conflict (user_id) do update set role = excluded.role returning role, granted_by`
const take = (granter: Asker, person: Person) =>
  granter.sql`delete from user_roles where user_id = ${person.id} returning role`

describe('the built-in roles', () => {
  test('are listed with their permissions and the number of people who have them', async () => {
    const described = { description: expect.stringMatching(/./) }
    const builtIn = { ...described, built_in: true }
    const roles = (moderators: number) => [
      { id: 'r1', name: 'super-admin', users_count: 1, permissions: PERMISSIONS, ...builtIn },
      {
        ...{ id: 'r2', name: 'admin', users_count: 1, ...builtIn },
        permissions: PERMISSIONS.filter((one) => !/^users.delete|^roles|^settings/.test(one)),
      },
      {
        ...{ id: 'r3', name: 'moderator', users_count: moderators, ...builtIn },
        permissions: ['users.view', 'subscriptions.view', 'subscriptions.approve'],
      },
    ]
    expect(await list(sofia)).toEqual(roles(1))
    await addStaff(db, 'Mia', 'moderator')
    const ended = await addStaff(db, 'Eve', 'admin')
    await sql`update auth.users set deleted_at = now() where id = ${ended.id}`
    expect(await list(ada)).toEqual(roles(2))
    expect(await sofia.sql`select * from system_permissions order by id`).toEqual(
      PERMISSIONS.map((name, at) => ({ id: `p${at + 1}`, name, ...described })),
    )
  })

  test('keep their names and permissions, as these are what the database goes by', async () => {
    const fixed = rule('The name and the permissions of a built-in role are fixed')
    for (const name of ['super-admin', 'admin', 'moderator']) {
      await expectRefusal(edit(sofia, name, `name = 'boss'`), fixed)
      await expectRefusal(edit(sofia, name, `permissions = '{roles.manage}'`), fixed)
    }
    const described = { description: 'Looks after the plans' }
    expect(await edit(sofia, 'moderator', `description = 'Looks after the plans'`)).toMatchObject([described])
  })
})

describe('a role of another name', () => {
  test('is created and edited by a super-admin, and listed after the built-in ones', async () => {
    const role = await define(sofia, '  Writer ', ['settings.edit', 'users.view', 'users.view'])
    expect(role).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'Writer' })
    expect((await list(sofia)).at(-1)).toEqual({
      ...{ id: role?.id, name: 'Writer', description: 'Writes the news', users_count: 0 },
      ...{ permissions: ['users.view', 'settings.edit'], built_in: false },
    })
    await edit(sofia, 'Writer', `name = 'Author', description = 'Writes', permissions = '{roles.manage}'`)
    expect((await list(ada)).at(-1)).toMatchObject({
      ...{ id: role?.id, name: 'Author', description: 'Writes', permissions: ['roles.manage'] },
    })
  })

  test.each([
    ['no name', '', [], rule('Role name is required')],
    ['blanks for a name', ' \t\n\u00a0', [], rule('Role name is required')],
    ['a name that nobody sees', '\u200b', [], rule('Role name is required')],
    ['the name of another', ' MODERATOR ', [], { code: '23505' }],
    ['a long name', 'x'.repeat(61), [], { code: '23514' }],
    ['a permission there is not', 'Payer', ['coins.give'], rule('There is no permission "coins.give"')],
  ])('is refused with %s', async (_what, name, permissions, refusal) => {
    await expectRefusal(define(sofia, name, permissions), refusal)
  })

  test('is not renamed to nothing, and may have 60 characters', async () => {
    await define(sofia, 'x'.repeat(60))
    await expectRefusal(edit(sofia, 'x'.repeat(60), `name = ' '`), rule('Role name is required'))
  })

  test('opens what its permissions say, and no more', async () => {
    const calls = {
      'users.view': 'select * from list_users()',
      'users.edit': 'select * from list_withdrawals()',
      'subscriptions.approve': 'select * from list_plans_for_review()',
      'subscriptions.delete': 'select get_pending_provider_requests_count()',
      'roles.manage': 'select * from list_staff_log()',
      'settings.edit': 'update app_settings set review_new_plans = true returning id',
    }
    for (const permission of Object.keys(calls)) {
      await define(sofia, `Only ${permission}`, [permission])
      const person = await addStaff(db, 'Tom', `Only ${permission}`)
      const opened: string[] = []
      for (const [asked, call] of Object.entries(calls)) {
        const answer = await person.run(call).catch((error: unknown) => error)
        if (!Array.isArray(answer)) expect(answer).toMatchObject(DENIED)
        else if (asked !== 'settings.edit' || answer.length === 1) opened.push(asked)
      }
      expect(opened).toEqual([permission])
    }
  })

  test('is not defined, given or taken by whoever may do less', async () => {
    await define(sofia, 'Spender', ['users.edit'])
    await define(sofia, 'Recruiter', ['users.view', 'roles.manage'])
    const rita = await addStaff(db, 'Rita', 'Recruiter')
    const give = (to: Person, role: string) => rita.sql`select assign_user_role(${to.id}, ${role})`
    const NOT_TO_DEFINE = denied('You can’t define a role with more permissions than your own')
    const NOT_TO_GIVE = denied('You can’t give or remove a role with more permissions than your own')
    for (const attempt of [
      () => define(rita, 'Boss', ['users.edit']),
      () => edit(rita, 'Recruiter', `permissions = '{users.view,roles.manage,settings.edit}'`),
      () => edit(rita, 'Spender', `permissions = '{users.view}'`),
    ])
      await expectRefusal(attempt(), NOT_TO_DEFINE)
    for (const [to, role] of [
      [rita, 'super-admin'],
      [zoe, 'admin'],
      [ada, 'Recruiter'],
      [ada, ''],
    ] as const)
      await expectRefusal(give(to, role), NOT_TO_GIVE)
    await give(zoe, 'Recruiter')
    await define(rita, 'Reader', ['users.view'])
    await give(zoe, 'Reader')
    await give(zoe, '')
    // Notified only once, since the second role replaced the first.
    expect(await sql`select event from user_notifications where user_id = ${zoe.id}`).toEqual([
      { event: 'role-given' },
    ])
  })
})

describe('who has a role', () => {
  test('has one or none, that there is; a super-admin grants it, changes it, takes it, and stands as the granter', async () => {
    expect(await grant(sofia, zoe, 'moderator')).toEqual([{ role: 'moderator', granted_by: sofia.id }])
    const second = `insert into user_roles (user_id, role) values ($1, 'admin')`
    await expectRefusal(sofia.run(second, [zoe.id]), { code: '23505' })
    expect(await grant(sofia, zoe, 'admin')).toEqual([{ role: 'admin', granted_by: sofia.id }])
    expect(await take(sofia, zoe)).toEqual([{ role: 'admin' }])
    await expectRefusal(grant(sofia, zoe, 'emperor'), rule('There is no role "emperor"'))
    const inAnother = sofia.sql`insert into user_roles values (${zoe.id}, 'admin', ${ada.id})`
    await expectRefusal(inAnother, denied('You grant roles in your own name'))
    const assigned = ada.sql`select assign_user_role(${zoe.id}, 'moderator')`
    await expectRefusal(assigned, denied('Only a super-admin can assign roles'))
    await expectRefusal(list(zoe), denied('Only admins see the roles'))
  })

  test('has it of others: what an account or a token says of itself grants nothing', async () => {
    await sql`update auth.users set raw_user_meta_data = '{"role":"super-admin"}' where id = ${zoe.id}`
    const said = { role: 'authenticated', user_metadata: { role: 'super-admin' }, app_role: 'super-admin' }
    const claims = JSON.stringify({ sub: zoe.id, ...said })
    await expectRefusal(grant(calling(db, { role: 'authenticated', claims }), zoe, 'admin'), DENIED)
  })

  test('keeps it as the last super-admin, account and all; the last but one may go', async () => {
    const refused = rule('The last super-admin cannot be removed')
    const deleteAccount = (person: Person) => sql`delete from auth.users where id = ${person.id}`
    const expectAllRefused = async () => {
      for (const attempt of [
        () => take(sofia, sofia),
        () => grant(sofia, sofia, 'admin'),
        () => sql`delete from user_roles`,
        () => deleteAccount(sofia),
        () => sofia.sql`select delete_own_account(true)`,
      ])
        await expectRefusal(attempt(), refused)
    }
    await expectAllRefused()
    expect(await take(sofia, await addStaff(db, 'Selma', 'super-admin'))).toHaveLength(1)
    await deleteAccount(await addStaff(db, 'Selma', 'super-admin'))
    // A closed account does not count as another super-admin.
    const ended = await addStaff(db, 'Selma', 'super-admin')
    await sql`update auth.users set deleted_at = now() where id = ${ended.id}`
    await expectAllRefused()
    await sql`delete from user_roles where user_id = ${ended.id}`
  })
})

describe('what a role allows', () => {
  const decisions = async (person: Asker) => {
    const asked = `select private.is_staff(), private.may('users.edit') as admin, private.may('roles.manage') as super`
    return Object.values((await person.run(asked))[0] ?? {})
  }
  const NOTHING = [false, false, false]

  test('is decided in one place, by what each role allows', async () => {
    await define(sofia, 'nobody')
    for (const [role, allowed] of [
      ['moderator', [true, false, false]],
      ['admin', [true, true, false]],
      ['super-admin', [true, true, true]],
      ['Only roles.manage', [true, false, true]],
      ['nobody', NOTHING],
    ] as const)
      expect([role, await decisions(await addStaff(db, 'Ida', role))]).toEqual([role, allowed])
  })

  test('is nothing, and never unknown, without a role, an account or a sign-in', async () => {
    expect(await decisions(zoe)).toEqual(NOTHING)
    for (const sub of [randomUUID(), null]) {
      const claims = JSON.stringify({ sub, role: 'authenticated', app_role: 'admin' })
      expect(await decisions(calling(db, { role: 'authenticated', claims }))).toEqual(NOTHING)
    }
  })

  test('is refused, not granted, when it cannot be looked up', async () => {
    const kept = await single(sql`select pg_get_functiondef('private.my_permissions'::regproc)`)
    await db.query(
      kept.replace(/select role.permissions from/, 'select array[(1 / (random() * 0)::int)::text] from'),
    )
    try {
      for (const asked of [`select private.may('users.edit')`, 'select * from user_roles'])
        await expectRefusal(ada.run(asked), { code: '22012' })
    } finally {
      await db.query(kept)
    }
    expect(await decisions(ada)).toEqual([true, true, false])
  })
})
