import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeAll, describe, expect, it } from 'vitest'
import { openApp, toasted } from '../app.tsx'
import { failNetwork, intercept } from '../network.ts'

const LIST = 'POST /rpc/list_users'
const STAFF = { mona: 'moderator', ada: 'admin', sofia: 'super-admin' } as const
type Name = keyof typeof STAFF | 'zoe' | 'lea'
const server = await testServer()
const people = {} as Record<Name, TestUser>
const sql = (text: string, ...values: string[]) => server.db.query<{ role: string }>(text, values)

beforeAll(async () => {
  for (const name of ['mona', 'ada', 'sofia', 'zoe', 'lea'] as const)
    people[name] = await addUser(server, `${name}@potluck.example`)
  for (const [name, role] of Object.entries(STAFF))
    await sql(`insert into user_roles (user_id, role) values ($1, $2)`, people[name as Name].id, role)
  await sql(`update user_profiles set display_name = 'Zoe Laurent' where user_id = $1`, people.zoe.id)
  await sql(`delete from user_profiles where user_id = $1`, people.lea.id)
})

const open = (who: Name, search = '') => openApp(server, `/admin/users${search}`, { as: people[who] })
const card = (name: string) => screen.findByRole('row', { name })
const names = () =>
  [...document.querySelectorAll('tbody tr')].map((one) => one.querySelector('bdi')?.textContent)
const roleSelect = (name: string) => screen.findByLabelText(`Role of ${name}`, { selector: 'input' })
const heldBy = async (name: Name) =>
  (await sql('select role from user_roles where user_id = $1', people[name].id))[0]?.role ?? null
/** Opens the list of roles somebody may have. */
async function offered(user: UserEvent, name: string) {
  // Until the last change has arrived, there is no other.
  const select = await waitFor(async () => {
    const one = await roleSelect(name)
    expect(one).toHaveProperty('disabled', false)
    return one
  })
  await user.click(select)
  return screen.findByRole('listbox', { name: `Role of ${name}`, hidden: false })
}
/** Chooses a role and confirms it. */
async function setRole(user: UserEvent, name: string, label: string, confirm = 'Give role') {
  await user.click(within(await offered(user, name)).getByText(label))
  await user.click(await screen.findByText(confirm))
}

describe('the list of users', () => {
  it('shows accounts with their roles, finds them by name, and leads back', async () => {
    const { sent: listed } = intercept(LIST)
    const { sent: privileged } = intercept('GET /auth/v1/admin')
    const { user, at } = await open('sofia')
    await screen.findByRole('heading', { level: 1, name: 'User Management' })
    expect(within(await card('Zoe Laurent')).getByText('zoe@potluck.example')).toBeTruthy()
    expect(await roleSelect('Zoe Laurent')).toHaveProperty('value', 'None')
    expect(await roleSelect('mona')).toHaveProperty('value', 'Moderator')
    // Without a name of her own, she is called by her address.
    expect(within(await card('lea')).getByText('lea@potluck.example')).toBeTruthy()
    expect(names()).toEqual(['lea', 'Zoe Laurent', 'sofia', 'ada', 'mona'])

    await user.type(screen.getByRole('searchbox', { name: 'Search by name' }), 'LAUR')
    await waitFor(() => expect(names()).toEqual(['Zoe Laurent']))
    expect(at()).toBe('/admin/users?q=LAUR')
    await user.type(screen.getByRole('searchbox'), '!')
    await screen.findByText('No users found matching your search')
    expect(screen.queryByRole('row')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Clear the search' }))
    await card('sofia')
    expect(listed.length).toBe(3)
    expect(privileged.length).toBe(0)

    await user.click(screen.getByRole('link', { name: 'Back to Dashboard' }))
    await screen.findByRole('heading', { level: 1, name: 'Admin Dashboard' })
    expect(at()).toBe('/admin')
  })

  it('goes on below the first page', async () => {
    await sql(
      `insert into auth.users (email, raw_user_meta_data, created_at)
       select 'many' || n || '@potluck.example', jsonb_build_object('name', 'Many ' || n),
         '2025-01-01'::timestamptz + make_interval(hours => n / 3) from generate_series(1, 30) as n`,
    )
    const { user } = await open('sofia', '?q=many')
    await waitFor(() => expect(names()).toHaveLength(25))
    await user.click(screen.getByText('Load more users'))
    await waitFor(() => expect(new Set(names()).size).toBe(30))
    expect(screen.queryByText('Load more users')).toBeNull()
    await sql(`delete from auth.users where email like 'many%'`)
  })

  it('narrows to a role, which stands in the address', async () => {
    const { user, at } = await open('ada')
    await user.click(await screen.findByRole('combobox', { name: 'Role' }))
    await user.click(await screen.findByRole('option', { name: 'moderator' }))
    await waitFor(() => expect(names()).toEqual(['mona']))
    expect(at()).toBe('/admin/users?role=moderator')
    await open('mona', '?role=none')
    await waitFor(() => expect(names()).toEqual(['lea', 'Zoe Laurent']))
  })

  it('says when it cannot be loaded, loads it again, and says when there is nobody at all', async () => {
    const failure = failNetwork(LIST)
    const { user } = await open('sofia')
    const retry = await screen.findByText('Retry')
    await toasted('error', 'Error', 'Could not load users')
    failure.heal()
    intercept(LIST, () => Promise.resolve(Response.json([])))
    await user.click(retry)
    await screen.findByText('No users found')
  })

  it('is to read only for admins, and for moderators without addresses', async () => {
    for (const who of ['ada', 'mona'] as const) {
      await open(who)
      expect(within(await card('sofia')).getByText('super-admin')).toBeTruthy()
      expect(within(await card('Zoe Laurent')).getByText('No role')).toBeTruthy()
      expect(screen.getByText('Only a super-admin changes roles.')).toBeTruthy()
      expect(screen.queryByLabelText(/^Role of/)).toBeNull()
      expect(screen.queryAllByText('zoe@potluck.example')).toHaveLength(who === 'ada' ? 1 : 0)
    }
  })
})

describe('somebody’s role', () => {
  it('is set and taken away by a super-admin, who confirms it', async () => {
    const { user } = await open('sofia')
    const roles = await offered(user, 'Zoe Laurent')
    expect(roles.textContent).toBe('NoneModeratorAdminSuper-admin')
    await user.click(within(roles).getByText('Moderator'))
    await screen.findByText('Give Zoe Laurent the moderator role?')
    await user.click(screen.getByText('Cancel'))
    await waitFor(() => expect(screen.queryByText('Give Zoe Laurent the moderator role?')).toBeNull())
    expect(await heldBy('zoe')).toBeNull()
    expect(await roleSelect('Zoe Laurent')).toHaveProperty('value', 'None')

    await setRole(user, 'Zoe Laurent', 'Super-admin')
    await toasted('success', 'Role Assigned', 'User has been assigned the super-admin role')
    expect(await heldBy('zoe')).toBe('super-admin')
    await waitFor(async () => expect(await roleSelect('Zoe Laurent')).toHaveProperty('value', 'Super-admin'))
    await setRole(user, 'Zoe Laurent', 'None', 'Take role away')
    await toasted('success', 'Role Removed', 'User role has been successfully removed')
    expect(await heldBy('zoe')).toBeNull()
    await waitFor(async () => expect(await roleSelect('Zoe Laurent')).toHaveProperty('value', 'None'))
  })

  it('stays when it is the last super-admin’s, or when the change never arrived', async () => {
    const { user } = await open('sofia')
    await setRole(user, 'sofia', 'None', 'Take role away')
    await toasted('error', 'Update Failed', 'The last super-admin cannot be removed')
    expect(await heldBy('sofia')).toBe('super-admin')
    await waitFor(async () => expect(await roleSelect('sofia')).toHaveProperty('value', 'Super-admin'))
    failNetwork('POST /rpc/assign_user_role')
    await setRole(user, 'mona', 'Admin')
    await toasted('error', 'Update Failed', 'Failed to update user role')
    await waitFor(async () => expect(await roleSelect('mona')).toHaveProperty('value', 'Moderator'))
    expect(await heldBy('mona')).toBe('moderator')
  })

  it('takes the administration’s controls from whoever gives up their own', async () => {
    await sql(`insert into user_roles (user_id, role) values ($1, 'super-admin')`, people.zoe.id)
    const { user } = await open('zoe')
    await user.click(within(await offered(user, 'Zoe Laurent')).getByText('Moderator'))
    await screen.findByText(/This is your own account: you stop being a super-admin at once\./)
    await user.click(screen.getByText('Give role'))
    await screen.findByText('Only a super-admin changes roles.')
    expect(screen.queryByLabelText(/^Role of/)).toBeNull()
    await sql('delete from user_roles where user_id = $1', people.zoe.id)
  })
})
