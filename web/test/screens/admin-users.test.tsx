import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import { beforeAll, describe, expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { failNetwork, intercept } from '../network.ts'
import { password } from '../sharing.ts'

const LIST = 'POST /rpc/list_users'
const ASSIGN = 'POST /rpc/assign_user_role'
const SEARCH = 'Search by name'
const STAFF = { mona: 'moderator', ada: 'admin', sofia: 'super-admin' } as const
type Name = keyof typeof STAFF | 'zoe' | 'lea'
const server = await testServer()
const people = {} as Record<Name, TestUser>

beforeAll(async () => {
  for (const name of ['mona', 'ada', 'sofia', 'zoe', 'lea'] as const)
    people[name] = await addUser(server, `${name}@potluck.example`, { password })
  for (const [name, role] of Object.entries(STAFF))
    await server.db.query(`insert into user_roles (user_id, role) values ($1, $2)`, [
      people[name as Name].id,
      role,
    ])
  await server.db.query(`update user_profiles set display_name = 'Zoe Laurent' where user_id = $1`, [
    people.zoe.id,
  ])
  await server.db.query(`update user_profiles set display_name = '' where user_id = $1`, [people.lea.id])
})

const open = async (who: Name, address = '/admin/users') => ({
  user: userEvent.setup(),
  ...(await openApp(server, address, { as: { email: people[who].email, password } })),
})
const title = (name: string) => screen.findByRole('heading', { level: 1, name })
const card = (name: string) => screen.findByRole('article', { name })
const names = () => screen.getAllByRole('article').map((one) => one.querySelector('bdi')?.textContent)
const roleSelect = async (name: string) => {
  const [select] = await screen.findAllByRole('combobox', { name: `Role of ${name}` })
  if (!select) throw new Error(`${name} has no role to set`)
  return select
}
const heldBy = async (name: Name) =>
  (
    await server.db.query<{ role: string }>('select role from user_roles where user_id = $1', [
      people[name].id,
    ])
  )[0]?.role ?? null
/** A toast with this title and description, once it is there. */
const toasted = (heading: string, text: string) =>
  waitFor(() => {
    const toasts = [...document.querySelectorAll('[data-kind]')].map((toast) => toast.textContent)
    expect(toasts).toContain(heading + text)
  })
const dismissToasts = async (user: UserEvent) => {
  for (const button of screen.queryAllByRole('button', { name: 'Dismiss' })) await user.click(button)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull())
}
/** Chooses a role and confirms it. */
async function setRole(user: UserEvent, name: string, label: string, confirm: string) {
  await user.click(await roleSelect(name))
  await user.click(await screen.findByRole('option', { name: label }))
  await user.click(await screen.findByRole('button', { name: confirm }))
}

describe('the list of users', () => {
  it('shows accounts with their roles, finds them by name, and leads back', async () => {
    const { sent: listed } = intercept(LIST)
    const { sent: privileged } = intercept('GET /auth/v1/admin')
    const { user, at } = await open('sofia')
    await title('User Management')
    const zoe = within(await card('Zoe Laurent'))
    expect(zoe.getByText('zoe@potluck.example')).toBeTruthy()
    expect(await roleSelect('Zoe Laurent')).toHaveProperty('value', 'None')
    expect(await roleSelect('mona')).toHaveProperty('value', 'Moderator')
    expect(await roleSelect('sofia')).toHaveProperty('value', 'Super-admin')
    // Without a name of her own, she is called by her address.
    expect(within(await card('lea')).getByText('lea@potluck.example')).toBeTruthy()
    expect(names()).toEqual(['lea', 'Zoe Laurent', 'sofia', 'ada', 'mona'])

    await server.db.query('update auth.users set email = null where id = $1', [people.lea.id])
    await user.type(screen.getByRole('searchbox', { name: SEARCH }), 'UNKN')
    await waitFor(() => expect(names()).toEqual(['Unknown']))
    expect(at()).toBe('/admin/users?q=UNKN')
    await server.db.query(`update auth.users set email = 'lea@potluck.example' where id = $1`, [
      people.lea.id,
    ])
    await user.type(screen.getByRole('searchbox', { name: SEARCH }), 'own!')
    await screen.findByText('No users found matching your search')
    expect(screen.queryByRole('article')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Clear the search' }))
    await card('Zoe Laurent')
    expect(listed.length).toBe(3)
    expect(privileged.length).toBe(0)

    await user.click(screen.getByRole('link', { name: 'Back to Dashboard' }))
    await title('Admin Dashboard')
    expect(at()).toBe('/admin')
  })

  it('goes on below the first page', async () => {
    await server.db.query(
      `insert into auth.users (id, aud, role, email, created_at)
       select gen_random_uuid(), 'authenticated', 'authenticated', 'many' || n || '@potluck.example',
         '2025-01-01'::timestamptz + make_interval(hours => n / 3) from generate_series(1, 30) as n`,
    )
    const { user } = await open('sofia', '/admin/users?q=many')
    await waitFor(() => expect(names()).toHaveLength(25))
    await user.click(screen.getByRole('button', { name: 'Load more users' }))
    await waitFor(() => expect(new Set(names()).size).toBe(30))
    expect(screen.queryByRole('button', { name: 'Load more users' })).toBeNull()
    await server.db.query(`delete from auth.users where email like 'many%'`)
  })

  it('says when there is nobody at all', async () => {
    const [kept] = await server.db.query<{ sql: string }>(
      `select pg_get_functiondef('public.list_users'::regproc) as sql`,
    )
    await server.db.query(`${kept?.sql.replace(/select \* from .*/, '$& where false')}`)
    await open('sofia')
    await screen.findByText('No users found')
    await server.db.query(kept?.sql ?? '')
  })

  it('says when it cannot be loaded, and loads it again', async () => {
    const failure = failNetwork(LIST)
    const { user } = await open('sofia')
    await screen.findByRole('button', { name: 'Retry' })
    await toasted('Error', 'Could not load users')
    failure.heal()
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await card('Zoe Laurent')
  })

  it('is to read only for admins, and for moderators without addresses', async () => {
    for (const who of ['ada', 'mona'] as const) {
      await open(who)
      expect(within(await card('sofia')).getByText('super-admin')).toBeTruthy()
      expect(within(await card('Zoe Laurent')).getByText('No role')).toBeTruthy()
      expect(screen.getByText('Only a super-admin changes roles.')).toBeTruthy()
      expect(within(screen.getByRole('main')).queryByRole('combobox')).toBeNull()
      expect(screen.queryAllByText('zoe@potluck.example')).toHaveLength(who === 'ada' ? 1 : 0)
    }
  })
})

describe('somebody’s role', () => {
  it('is set to each of the three and to none by a super-admin, who confirms it', async () => {
    const { user } = await open('sofia')
    await user.click(await roleSelect('Zoe Laurent'))
    expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual([
      'None',
      'Moderator',
      'Admin',
      'Super-admin',
    ])
    await user.click(screen.getByRole('option', { name: 'Moderator' }))
    await screen.findByText('Give Zoe Laurent the moderator role?')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByText('Give Zoe Laurent the moderator role?')).toBeNull())
    expect(await heldBy('zoe')).toBeNull()
    expect(await roleSelect('Zoe Laurent')).toHaveProperty('value', 'None')

    await setRole(user, 'Zoe Laurent', 'Moderator', 'Give role')
    await toasted('Role Assigned', 'User has been assigned the moderator role')
    expect(await heldBy('zoe')).toBe('moderator')
    for (const [label, role] of [
      ['Admin', 'admin'],
      ['Super-admin', 'super-admin'],
    ] as const) {
      await setRole(user, 'Zoe Laurent', label, 'Give role')
      await toasted('Role Updated', `User has been assigned the ${role} role`)
      expect(await heldBy('zoe')).toBe(role)
      await waitFor(async () => expect(await roleSelect('Zoe Laurent')).toHaveProperty('value', label))
    }
    await dismissToasts(user)
    await setRole(user, 'Zoe Laurent', 'None', 'Take role away')
    await toasted('Role Removed', 'User role has been successfully removed')
    expect(await heldBy('zoe')).toBeNull()
    await waitFor(async () => expect(await roleSelect('Zoe Laurent')).toHaveProperty('value', 'None'))
  })

  it('stays when it is the last super-admin’s, who is told why', async () => {
    const { user } = await open('sofia')
    await setRole(user, 'sofia', 'None', 'Take role away')
    await toasted('Update Failed', 'The last super-admin cannot be removed')
    expect(await heldBy('sofia')).toBe('super-admin')
    await waitFor(async () => expect(await roleSelect('sofia')).toHaveProperty('value', 'Super-admin'))
    await title('User Management')
  })

  it('takes the administration’s controls from whoever gives up their own', async () => {
    await server.db.query(`insert into user_roles (user_id, role) values ($1, 'super-admin')`, [
      people.zoe.id,
    ])
    const { user } = await open('zoe')
    await user.click(await roleSelect('Zoe Laurent'))
    await user.click(await screen.findByRole('option', { name: 'Moderator' }))
    await screen.findByText(/This is your own account: you stop being a super-admin at once\./)
    await user.click(screen.getByRole('button', { name: 'Give role' }))
    await screen.findByText('Only a super-admin changes roles.')
    expect(within(screen.getByRole('main')).queryByRole('combobox')).toBeNull()
    await server.db.query('delete from user_roles where user_id = $1', [people.zoe.id])
  })

  it('says what could not be done when it never arrived, and shows what is', async () => {
    const failure = failNetwork(ASSIGN)
    const { user } = await open('sofia')
    await setRole(user, 'Zoe Laurent', 'Admin', 'Give role')
    await toasted('Error', 'Failed to assign user role')
    await setRole(user, 'mona', 'None', 'Take role away')
    await toasted('Error', 'Failed to remove user role')
    await setRole(user, 'mona', 'Admin', 'Give role')
    await toasted('Update Failed', 'Failed to update user role')
    await waitFor(async () => expect(await roleSelect('mona')).toHaveProperty('value', 'Moderator'))
    expect(failure.sent.length).toBe(3)
    expect(await heldBy('mona')).toBe('moderator')
    expect(await heldBy('zoe')).toBeNull()
  })
})
