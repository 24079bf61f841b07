// How a new site gets its first super-admin, at the URL that its server printed.
// Proves ROLE 01
import { newClient, PASSWORD, testServer } from '@potluck/server/test/harness.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openApp } from '../app.tsx'
import { newPerson } from '../people.ts'

const server = await testServer()
const address = async () => {
  const [row] = await server.db.query<{ secret: string }>(
    'select private.open_first_admin_address() as secret',
  )
  return `/first-admin#token=${row?.secret}`
}
const fillIn = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label, { selector: 'input' }), { target: { value } })

it('makes a new account the administrator and leads to the administration, for who has the address', async () => {
  const first = await openApp(server, '/first-admin#token=guessed')
  await screen.findByText('This address no longer works. Restart the site for a new one.')
  expect(screen.queryByText('Try Again')).toBeNull()
  await first.router.navigate({ href: await address() })
  await fillIn('Email', 'sofia@potluck.example')
  await fillIn('Password', PASSWORD)
  await fillIn('Confirm password', PASSWORD)
  await first.user.click(screen.getByText('Become administrator', { selector: 'button *' }))
  await waitFor(() => expect(first.at()).toBe('/admin'))
  expect(await server.db.query('select role from user_roles')).toEqual([{ role: 'super-admin' }])
  const again = await newClient(server).auth.signInWithPassword({
    email: 'sofia@potluck.example',
    password: PASSWORD,
  })
  expect(again.error).toBeNull()
})

it('makes who is signed in already the administrator by one press', async () => {
  await server.db.query('alter table user_roles disable trigger guard')
  await server.db.query('delete from user_roles')
  await server.db.query('alter table user_roles enable trigger guard')
  const olivia = await newPerson(server, 'olivia')
  const { at, user } = await openApp(server, await address(), { as: olivia })
  await screen.findByText(`You’re signed in as ${olivia.email}.`)
  await user.click(screen.getByText('Become administrator', { selector: 'button *' }))
  await waitFor(() => expect(at()).toBe('/admin'))
})
