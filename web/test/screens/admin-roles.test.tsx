import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import { openApp, toasted } from '../app.tsx'
import { failNetwork } from '../network.ts'

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
const server = await testServer()
const people: Record<string, TestUser> = {}

beforeAll(async () => {
  for (const [name, role] of [
    ['mona', 'moderator'],
    ['mia', 'moderator'],
    ['ada', 'admin'],
    ['sofia', 'super-admin'],
  ] as const) {
    const person = await addUser(server, `${name}@potluck.example`)
    await server.db.query('insert into user_roles (user_id, role) values ($1, $2)', [person.id, role])
    people[name] = person
  }
  people.zoe = await addUser(server, 'zoe@potluck.example')
  await server.db.query(`insert into system_roles (name, description, permissions)
    values ('Plan keeper', 'Keeps the plans in order', '{subscriptions.view,subscriptions.approve}')`)
})

const open = (name: string) => openApp(server, '/admin/roles', { as: { email: people[name]?.email ?? '' } })
const card = (name: string) => screen.findByRole('article', { name })
/** What a role's card says: who it is for, how many have it, and its permissions. */
const shown = async (name: string) => {
  const found = await card(name)
  const permissions = within(found).queryByRole('list', { name: 'Permissions' })
  return {
    text: found.textContent,
    permissions: [...(permissions?.children ?? [])].map((permission) => permission.textContent),
  }
}
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
const boxes = (form: Awaited<ReturnType<typeof dialog>>) => form.getAllByRole<HTMLInputElement>('checkbox')
const ticked = (form: Awaited<ReturnType<typeof dialog>>) =>
  boxes(form)
    .filter((box) => box.checked)
    .map((box) => box.value)

describe('the system roles', () => {
  it('are the built-in three at first, with real counts, and say what they do', async () => {
    const failure = failNetwork('POST /rpc/list_system_roles')
    const { user, at } = await open('sofia')
    await screen.findByText('Could not load roles')
    expect(screen.queryByText('New role')).toBeNull()
    failure.heal()
    await user.click(screen.getByText('Retry'))
    await screen.findByRole('heading', { level: 1, name: 'System Roles' })
    expect(await shown('super-admin')).toEqual({
      text: expect.stringMatching(/Built in · 1 userEdit.*including who else is staff/),
      permissions: PERMISSIONS,
    })
    expect(await shown('admin')).toEqual({
      text: expect.stringContaining('Built in · 1 user'),
      permissions: [
        'users.view',
        'users.edit',
        'subscriptions.view',
        'subscriptions.approve',
        'subscriptions.delete',
      ],
    })
    expect(await shown('moderator')).toEqual({
      text: expect.stringContaining('Built in · 2 users'),
      permissions: ['users.view', 'subscriptions.view', 'subscriptions.approve'],
    })
    expect(screen.getByText(/A role opens what its permissions say/)).toBeTruthy()
    expect(screen.getByText(/User Management hands it out/)).toBeTruthy()

    await user.click(screen.getByRole('button', { name: 'New role' }))
    const form = await dialog('New role')
    expect(boxes(form).map(({ value }) => value)).toEqual(PERMISSIONS)
    await user.click(form.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('link', { name: 'Back to Dashboard' }))
    await screen.findByRole('heading', { level: 1, name: 'Admin Dashboard' })
    expect(at()).toBe('/admin')
  })

  it('are created and edited by a super-admin, and still there after a reload', async () => {
    const { user } = await open('sofia')
    await user.click(await screen.findByText('New role'))
    const form = await dialog('New role')
    const name = form.getByLabelText(/^Name/)
    const create = () => user.click(form.getByText('Create role'))
    await user.type(name, '   ')
    await create()
    await toasted('error', 'Validation error', 'Role name is required')
    expect(name.getAttribute('aria-invalid')).toBe('true')
    await user.clear(name)
    await user.type(name, 'Moderator')
    await create()
    await toasted('error', 'Error', 'There is already a role with this name')
    expect(name).toHaveProperty('value', 'Moderator')

    await user.clear(name)
    await user.type(name, 'News editor ')
    await user.type(form.getByLabelText('Description'), 'Writes <b>news</b>')
    await user.click(form.getByLabelText(/^settings\.edit/))
    await user.click(form.getByLabelText(/^users\.view/))
    await waitFor(() => expect(form.getByText('Create role').closest('[data-loading]')).toBeNull())
    await create()
    await toasted('success', 'Role created')
    expect(await shown('News editor')).toEqual({
      text: expect.stringMatching(/^News editor0 usersEditWrites <b>news<\/b>/),
      permissions: ['users.view', 'settings.edit'],
    })

    await user.click(screen.getByLabelText('Edit News editor'))
    const edit = await dialog('Edit role')
    expect(ticked(edit)).toEqual(['users.view', 'settings.edit'])
    await user.clear(edit.getByLabelText(/^Name/))
    await user.type(edit.getByLabelText(/^Name/), 'Editor')
    await user.clear(edit.getByLabelText('Description'))
    await user.type(edit.getByLabelText('Description'), 'Writes')
    await user.click(edit.getByLabelText(/^settings\.edit/))
    await user.click(edit.getByText('Save role'))
    await toasted('success', 'Role updated')
    await card('Editor')
    expect(screen.queryByRole('article', { name: 'News editor' })).toBeNull()

    await open('sofia')
    expect(await shown('Editor')).toEqual({
      text: expect.stringMatching(/^Editor0 usersEditWritesusers\.view$/),
      permissions: ['users.view'],
    })
  })

  it('let the description of a built-in role change, and nothing else', async () => {
    const { user } = await open('sofia')
    await user.click(await screen.findByLabelText('Edit moderator'))
    const form = await dialog('Edit role')
    expect(form.getByText('The name and the permissions of a built-in role are fixed.')).toBeTruthy()
    expect(form.getByLabelText(/^Name/)).toHaveProperty('readOnly', true)
    expect(boxes(form).filter((box) => !box.disabled)).toEqual([])
    await user.clear(form.getByLabelText('Description'))
    await user.type(form.getByLabelText('Description'), 'Looks after the plans')
    await user.click(form.getByText('Save role'))
    await waitFor(async () => expect((await shown('moderator')).text).toContain('Looks after the plans'))
    expect((await shown('moderator')).permissions).toHaveLength(3)
  })

  it('are given to people, and open to them the pages that they allow', async () => {
    const { user } = await openApp(server, '/admin/users?q=zoe', { as: people.sofia as TestUser })
    await user.click(await screen.findByLabelText('Role of zoe', { selector: 'input' }))
    const offered = within(await screen.findByRole('listbox', { name: 'Role of zoe' }))
    await user.click(await offered.findByRole('option', { name: 'Plan keeper' }))
    const sure = await dialog('Give zoe the Plan keeper role?')
    sure.getByText('Keeps the plans in order')
    await user.click(sure.getByRole('button', { name: 'Give role' }))
    await waitFor(async () =>
      expect(
        await server.db.query(`select role from user_roles where user_id = $1`, [
          (people.zoe as TestUser).id,
        ]),
      ).toEqual([{ role: 'Plan keeper' }]),
    )
    await openApp(server, '/admin/subscriptions', { as: people.zoe as TestUser })
    await screen.findByRole('heading', { level: 1, name: 'Subscription Plans' })
    const menu = within(screen.getByRole('navigation', { name: 'Administration' }))
    expect(menu.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'Dashboard',
      'Reviews',
      'Reports',
      'Subscriptions',
    ])
    await openApp(server, '/admin/withdrawals', { as: people.zoe as TestUser })
    await screen.findByText('Your role does not include this page')
  })

  it('are to read only for admins', async () => {
    await open('ada')
    await card('super-admin')
    expect(screen.getByText('Only a super-admin changes roles.')).toBeTruthy()
    expect(screen.queryByText(/^(New role|Edit)$/)).toBeNull()
  })
})
