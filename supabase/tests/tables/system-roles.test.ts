import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Asker,
  addPerson,
  addStaff,
  DENIED,
  ownDatabase,
  type Person,
  refusalOf,
  rule,
} from '../people.ts'

const { db, sql } = await ownDatabase()
let sofia: Person
let ada: Person
let _mona: Person
let zoe: Person
beforeAll(async () => {
  sofia = await addStaff(db, 'Sofia', 'super-admin')
  ada = await addStaff(db, 'Ada', 'admin')
  _mona = await addStaff(db, 'Mona', 'moderator')
  zoe = await addPerson(db, 'Zoe')
})

const PERMISSIONS = [
  'users.view',
  'users.edit',
  'users.delete',
  'subscriptions.view',
  'subscriptions.approve',
  'subscriptions.delete',
  'roles.manage',
  'settings.edit',
]
const list = async (person: Asker) =>
  (
    await person.sql<{
      role: Record<string, unknown>
    }>`select to_jsonb(role) as role from list_system_roles() as role`
  ).map(({ role }) => role)
const define = async (
  person: Asker,
  { name, permissions = [] }: { name: string; permissions?: string[] },
) => {
  const sql = `insert into system_roles (name, description, permissions) values ($1, 'Writes the news', $2)
    returning id, name`
  const [role] = await person.run<{ id: string; name: string }>(sql, [name, `{${permissions.join(',')}}`])
  return role
}
const edit = (person: Asker, name: string, change: string) =>
  person.run(`update system_roles set ${change} where name = $1 returning *`, [name])

describe('the built-in roles', () => {
  test('are listed with their permissions and the number of people who have them', async () => {
    const staff = { description: expect.stringMatching(/./) }
    const roles = (superAdmins: number, admins: number, moderators: number) => [
      { id: 'r1', name: 'super-admin', users_count: superAdmins, permissions: PERMISSIONS, ...staff },
      {
        id: 'r2',
        name: 'admin',
        users_count: admins,
        permissions: [
          'users.view',
          'users.edit',
          'subscriptions.view',
          'subscriptions.approve',
          'subscriptions.delete',
        ],
        ...staff,
      },
      {
        id: 'r3',
        name: 'moderator',
        users_count: moderators,
        permissions: ['users.view', 'subscriptions.view', 'subscriptions.approve'],
        ...staff,
      },
    ]
    expect(await list(sofia)).toEqual(roles(1, 1, 1))
    const second = await addStaff(db, 'Mia', 'moderator')
    const ended = await addStaff(db, 'Eve', 'admin')
    await sql`update auth.users set deleted_at = now() where id = ${ended.id}`
    expect(await list(ada)).toEqual(roles(1, 1, 2))
    await sql`delete from user_roles where user_id in (${second.id}, ${ended.id})`
  })

  test('are made of eight permissions, each with an id, a name and a description', async () => {
    expect(await sofia.sql`select * from system_permissions order by id`).toEqual(
      PERMISSIONS.map((name, at) => ({ id: `p${at + 1}`, name, description: expect.stringMatching(/./) })),
    )
  })

  test('keep their names and permissions, as these are what the database goes by', async () => {
    const fixed = rule('The name and the permissions of a built-in role are fixed')
    for (const name of ['super-admin', 'admin', 'moderator']) {
      expect(await refusalOf(edit(sofia, name, `name = 'boss'`))).toEqual(fixed)
      expect(await refusalOf(edit(sofia, name, `permissions = '{roles.manage}'`))).toEqual(fixed)
    }
    const [{ description }] = (await edit(sofia, 'moderator', `description = 'Looks after the plans'`)) as [
      { description: string },
    ]
    expect(description).toBe('Looks after the plans')
  })
})

describe('a role of another name', () => {
  beforeAll(() => define(sofia, { name: 'Editor' }))

  test('is created and edited by a super-admin, and listed after the built-in ones', async () => {
    const role = await define(sofia, {
      name: '  Writer ',
      permissions: ['settings.edit', 'users.view', 'users.view'],
    })
    expect(role).toMatchObject({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'Writer' })
    expect((await list(sofia)).at(-1)).toEqual({
      id: role?.id,
      name: 'Writer',
      description: 'Writes the news',
      users_count: 0,
      permissions: ['users.view', 'settings.edit'],
    })
    await edit(sofia, 'Writer', `name = 'Author', description = 'Writes', permissions = '{roles.manage}'`)
    expect((await list(ada)).at(-1)).toMatchObject({
      id: role?.id,
      name: 'Author',
      description: 'Writes',
      permissions: ['roles.manage'],
    })
  })

  test.each(['', '   ', '\t\n', '\u00a0', '\u200b'])('has a name: not "%s"', async (name) => {
    const required = rule('Role name is required')
    expect(await refusalOf(define(sofia, { name }))).toEqual(required)
    expect(await refusalOf(sofia.sql`update system_roles set name = ${name} where name = 'Editor'`)).toEqual(
      required,
    )
  })

  test('has a name of its own, in upper or lower case, of at most 60 characters', async () => {
    for (const name of ['admin', 'Super-Admin', ' MODERATOR '])
      expect(await refusalOf(define(sofia, { name }))).toMatchObject({ code: '23505' })
    expect(await refusalOf(define(sofia, { name: 'x'.repeat(61) }))).toMatchObject({ code: '23514' })
  })

  test('has permissions out of the eight only', async () => {
    expect(
      await refusalOf(define(sofia, { name: 'Payer', permissions: ['users.view', 'coins.give'] })),
    ).toEqual(rule('There is no permission "coins.give"'))
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
    for (const [n, permission] of Object.keys(calls).entries()) {
      await define(sofia, { name: `Only ${n}`, permissions: [permission] })
      const person = await addStaff(db, `Staff ${n}`, `Only ${n}`)
      const opened: string[] = []
      for (const [asked, call] of Object.entries(calls)) {
        const answer = await person.run(call).catch((error: unknown) => error)
        if (Array.isArray(answer) && (asked !== 'settings.edit' || answer.length === 1)) opened.push(asked)
        else if (!Array.isArray(answer)) expect(answer).toMatchObject(DENIED)
      }
      expect(opened).toEqual([permission])
    }
  })

  test('is not defined, given or taken by whoever may do less', async () => {
    await define(sofia, { name: 'Recruiter', permissions: ['users.view', 'roles.manage'] })
    const rita = await addStaff(db, 'Rita', 'Recruiter')
    const give = (to: Person, role: string) => rita.sql`select assign_user_role(${to.id}, ${role})`
    const beyond = { code: '42501', message: expect.stringContaining('allows more than your own') }
    for (const attempt of [
      () => define(rita, { name: 'Boss', permissions: ['users.edit'] }),
      () => edit(rita, 'Recruiter', `permissions = '{users.view,roles.manage,settings.edit}'`),
      () => edit(rita, 'Only 1', `permissions = '{users.view}'`),
      () => give(rita, 'super-admin'),
      () => give(zoe, 'admin'),
      () => give(ada, 'Recruiter'),
      () => give(ada, ''),
    ])
      expect(await refusalOf(attempt())).toMatchObject(beyond)
    await give(zoe, 'Recruiter')
    await define(rita, { name: 'Reader', permissions: ['users.view'] })
    await give(zoe, 'Reader')
    await give(zoe, '')
  })
})
