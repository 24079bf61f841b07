// How a new site gets its first super-admin, at the URL that its server printed.
// Proves ROLE 01
import { newClient, PASSWORD, testServer } from '@potluck/server/test/harness.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { openApp, toasted } from '../app.tsx'
import { intercept } from '../network.ts'
import { newPerson, setUpApp } from '../people.ts'

const server = await testServer()
// Others can reach this site, so its settings need a second factor.
const reachable = await testServer({}, { sheltered: false })
const address = async (site = server) => {
  const [row] = await site.db.query<{ secret: string }>('select private.open_first_admin_address() as secret')
  return `/first-admin#token=${row?.secret}`
}
const filledButtons = () =>
  [...document.querySelectorAll('main :is(a, button):is([data-variant=filled], [data-variant=primary])')].map(
    ({ textContent }) => textContent,
  )
async function nameOperator(user: UserEvent) {
  const given = {
    ...{
      'Your name or company': 'Tafel GmbH',
      'Street and number': 'Lange Straße 1',
      'Postal code': '10243',
    },
    ...{ Town: 'Berlin', Email: 'us@potluck.example' },
  }
  for (const [label, value] of Object.entries(given))
    await user.type(await screen.findByRole('textbox', { name: label }), value)
  await user.click(screen.getByRole('combobox', { name: 'Country' }))
  await user.click(await screen.findByText('Germany'))
}
const fillIn = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label, { selector: 'input' }), { target: { value } })

it('makes a new account the administrator and asks what a new site needs, for who has the address', async () => {
  const first = await openApp(server, '/first-admin#token=guessed')
  await screen.findByText('This address no longer works. Restart the site for a new one.')
  expect(screen.queryByText('Try Again')).toBeNull()
  const checks = intercept('POST /rest/v1/rpc/require_first_admin_address')
  await first.router.navigate({ href: await address() })
  await fillIn('Email', 'sofia@potluck.example')
  await fillIn('Password', PASSWORD)
  await fillIn('Confirm password', PASSWORD)
  await first.user.click(screen.getByText('Become administrator', { selector: 'button *' }))
  await waitFor(() => expect(first.at()).toBe('/admin/set-up'))
  expect(checks.sent).toHaveLength(1)
  expect(await server.db.query('select role from user_roles')).toEqual([{ role: 'super-admin' }])
  await screen.findByText('Protect your account')
  await screen.findByText('Save operator')
  expect(filledButtons()).toEqual(['Save operator'])
  await nameOperator(first.user)
  await first.user.click(screen.getByText('Save operator'))
  await toasted('success', 'Settings saved')
  await waitFor(() => expect(filledButtons()).toEqual(['Open the administration']))
  await first.user.click(await screen.findByLabelText(/^Only invited people/))
  await toasted('success', 'Settings saved')
  await first.user.click(screen.getByText('Send me a test'))
  await toasted(
    'success',
    'Test email on its way',
    'Search for your address under Emails to see where it is.',
  )
  expect(
    await server.db.query(
      'select name, town, country, phone, sign_ups, private.has_imprint() as complete from operator, app_settings',
    ),
  ).toEqual([
    { name: 'Tafel GmbH', town: 'Berlin', country: 'DE', phone: null, sign_ups: 'invited', complete: true },
  ])
  const served = async () => (await (await fetch(`${server.url}/config.json`)).json()).operatorName
  await waitFor(async () => expect(await served()).toBe('Tafel GmbH'), { timeout: 5000 })
  await first.user.click(screen.getByText('Open the administration'))
  await waitFor(() => expect(first.at()).toBe('/admin'))
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
  const checks = intercept('POST /rest/v1/rpc/require_first_admin_address')
  const { at, user } = await openApp(server, await address(), { as: olivia })
  await screen.findByText(`You’re signed in as ${olivia.email}.`)
  await user.click(screen.getByText('Become administrator', { selector: 'button *' }))
  await waitFor(() => expect(at()).toBe('/admin/set-up'))
  expect(checks.sent).toHaveLength(1)
})

it('on a site that others can reach, saves the operator once the account has a second factor', async () => {
  const olivia = await newPerson(reachable, 'olivia')
  const { at, user, client } = await openApp(reachable, await address(reachable), { as: olivia })
  await screen.findByText(`You’re signed in as ${olivia.email}.`)
  await user.click(screen.getByText('Become administrator', { selector: 'button *' }))
  await waitFor(() => expect(at()).toBe('/admin/set-up'))
  await screen.findByText('Protect your account')
  await nameOperator(user)
  await user.click(screen.getByText('Save operator'))
  await waitFor(() => expect(document.querySelector('[data-kind=error]')).not.toBeNull())
  const stored = () => reachable.db.query('select name from operator')
  expect(await stored()).toEqual([{ name: null }])

  await setUpApp(client)
  await waitFor(() => expect(screen.queryByText('Protect your account')).toBeNull())
  await user.click(screen.getByText('Save operator'))
  await toasted('success', 'Settings saved')
  expect(await stored()).toEqual([{ name: 'Tafel GmbH' }])
})
