import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { failNetwork } from '../network.ts'
import { password } from '../sharing.ts'

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
    const person = await addUser(server, `${name}@potluck.example`, { password })
    await server.db.query('insert into user_roles (user_id, role) values ($1, $2)', [person.id, role])
    people[name] = person
  }
})

const open = async (name: string) => ({
  ...(await openApp(server, '/admin/roles', { as: { email: people[name]?.email ?? '', password } })),
})
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
const ticked = (form: Awaited<ReturnType<typeof dialog>>) =>
  form
    .getAllByRole<HTMLInputElement>('checkbox')
    .filter((box) => box.checked)
    .map((box) => box.value)

describe('the system roles', () => {
  it('are the built-in three at first, with real counts, and say what they do', async () => {
    const { user, at } = await open('sofia')
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
    expect(screen.getByText(/three built-in roles are what Potluck goes by/)).toBeTruthy()
    expect(screen.getByText(/opens nothing yet: no check asks for it/)).toBeTruthy()

    await user.click(screen.getByRole('button', { name: 'New role' }))
    const form = await dialog('New role')
    expect(form.getAllByRole<HTMLInputElement>('checkbox').map(({ value }) => value)).toEqual(PERMISSIONS)
    await user.click(form.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('link', { name: 'Back to Dashboard' }))
    await screen.findByRole('heading', { level: 1, name: 'Admin Dashboard' })
    expect(at()).toBe('/admin')
  })

  it('are created and edited by a super-admin, and still there after a reload', async () => {
    const { user } = await open('sofia')
    await user.click(await screen.findByRole('button', { name: 'New role' }))
    const form = await dialog('New role')
    const name = form.getByRole('textbox', { name: /^Name/ })
    await user.type(name, '   ')
    await user.click(form.getByRole('button', { name: 'Create role' }))
    const toast = (await screen.findByText('Validation error')).closest('[role="alert"]')
    expect(toast?.textContent).toBe('Validation errorRole name is required')
    expect(name.getAttribute('aria-invalid')).toBe('true')
    expect(await screen.findByRole('dialog')).toBeTruthy()

    await user.type(name, 'News editor ')
    await user.type(form.getByRole('textbox', { name: 'Description' }), 'Writes <b>news</b>')
    await user.click(form.getByRole('checkbox', { name: /^settings\.edit/ }))
    await user.click(form.getByRole('checkbox', { name: /^users\.view/ }))
    await user.click(form.getByRole('button', { name: 'Create role' }))
    await screen.findByText('Role created')
    const created = {
      text: expect.stringMatching(/^News editorOpens nothing yet · 0 usersEditWrites <b>news<\/b>/),
      permissions: ['users.view', 'settings.edit'],
    }
    expect(await shown('News editor')).toEqual(created)

    const again = await open('sofia')
    expect(await shown('News editor')).toEqual(created)
    await again.user.click(screen.getByRole('button', { name: 'Edit News editor' }))
    const edit = await dialog('Edit role')
    expect(ticked(edit)).toEqual(['users.view', 'settings.edit'])
    await again.user.clear(edit.getByRole('textbox', { name: /^Name/ }))
    await again.user.type(edit.getByRole('textbox', { name: /^Name/ }), 'Editor')
    await again.user.clear(edit.getByRole('textbox', { name: 'Description' }))
    await again.user.type(edit.getByRole('textbox', { name: 'Description' }), 'Writes')
    await again.user.click(edit.getByRole('checkbox', { name: /^settings\.edit/ }))
    await again.user.click(edit.getByRole('button', { name: 'Save role' }))
    await screen.findByText('Role updated')
    await card('Editor')
    expect(screen.queryByRole('article', { name: 'News editor' })).toBeNull()

    await open('sofia')
    expect(await shown('Editor')).toEqual({
      text: expect.stringMatching(/^EditorOpens nothing yet · 0 usersEditWritesusers\.view$/),
      permissions: ['users.view'],
    })
  })

  it('let the description of a built-in role change, and nothing else', async () => {
    const { user } = await open('sofia')
    await user.click(await screen.findByRole('button', { name: 'Edit moderator' }))
    const form = await dialog('Edit role')
    expect(form.getByText('The name and the permissions of a built-in role are fixed.')).toBeTruthy()
    expect(form.getByRole('textbox', { name: /^Name/ })).toHaveProperty('readOnly', true)
    for (const box of form.getAllByRole('checkbox')) expect(box).toHaveProperty('disabled', true)
    await user.clear(form.getByRole('textbox', { name: 'Description' }))
    await user.type(form.getByRole('textbox', { name: 'Description' }), 'Looks after the plans')
    await user.click(form.getByRole('button', { name: 'Save role' }))
    await screen.findByText('Role updated')
    await waitFor(async () => expect((await shown('moderator')).text).toContain('Looks after the plans'))
    expect((await shown('moderator')).permissions).toHaveLength(3)
  })

  it('keep what was typed when a name is taken or the network fails', async () => {
    const { user } = await open('sofia')
    await user.click(await screen.findByRole('button', { name: 'New role' }))
    const form = await dialog('New role')
    const name = form.getByRole('textbox', { name: /^Name/ })
    await user.type(name, 'Moderator')
    await user.click(form.getByRole('button', { name: 'Create role' }))
    await screen.findByText('There is already a role with this name')
    const failure = failNetwork('POST /rest/v1/system_roles')
    await user.click(form.getByRole('button', { name: 'Create role' }))
    await screen.findByText('The role could not be saved. Please try again.')
    expect(name).toHaveProperty('value', 'Moderator')
    failure.heal()
  })

  it('are to read only for admins, and closed to moderators', async () => {
    await open('ada')
    await card('super-admin')
    expect(screen.getByText('Only a super-admin changes roles.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^(New role|Edit)/ })).toBeNull()
    await open('mona')
    await screen.findByText('Your role does not include this page')
    expect(screen.queryByRole('article')).toBeNull()
  })

  it('say when they cannot be loaded, and load again', async () => {
    const failure = failNetwork('POST /rpc/list_system_roles')
    const { user } = await open('sofia')
    await screen.findByText('Could not load roles')
    expect(screen.queryByRole('button', { name: 'New role' })).toBeNull()
    failure.heal()
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await card('super-admin')
  })
})
