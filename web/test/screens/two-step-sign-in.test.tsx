// Two-step sign-in from the settings to the second step of signing in, with real codes.
import { randomUUID } from 'node:crypto'
import { addUser, PASSWORD, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import { openApp, toasted } from '../app.tsx'

const server = await testServer()
const codeOf = (secret: string, steps: number) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 })
const card = async () => within(await screen.findByRole('region', { name: 'Two-step sign-in' }))

async function setUp(email: string) {
  const person = await addUser(server, email)
  const app = await openApp(server, '/account-settings/security', { as: person })
  await waitFor(async () =>
    expect((await card()).getByRole('button', { name: 'Set up' })).toHaveProperty('disabled', false),
  )
  await app.user.click((await card()).getByRole('button', { name: 'Set up' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Set up two-step sign-in' }))
  expect((await dialog.findByRole('img', { name: /^QR code/ })).getAttribute('src')).toMatch(
    /^data:image\/svg/,
  )
  const secret = dialog.getByText(/^[A-Z2-7]{32}$/).textContent ?? ''
  await app.user.type(dialog.getByLabelText('Code'), 'abc123')
  await app.user.click(dialog.getByRole('button', { name: 'Switch on' }))
  expect(await dialog.findByText('This code is wrong or too old')).toBeTruthy()
  await app.user.clear(dialog.getByLabelText('Code'))
  await app.user.type(dialog.getByLabelText('Code'), codeOf(secret, 0))
  await app.user.click(dialog.getByRole('button', { name: 'Switch on' }))
  const codes = within(await screen.findByRole('dialog', { name: 'Your recovery codes' }))
  const [recovery = ''] = codes
    .getAllByText(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
    .map((code) => code.textContent ?? '')
  await app.user.click(codes.getByRole('button', { name: 'I have kept them' }))
  expect(
    await (await card()).findByText('On, with an authenticator app. Recovery codes left: 10 of 10.'),
  ).toBeTruthy()
  return { person, secret, recovery, ...app }
}

/** The same, and signed out again. */
async function setUpAndLeave(email: string) {
  const { client, ...kept } = await setUp(email)
  await client.auth.signOut()
  return kept
}

/** Of money, of what is sealed and of what opens the account; all go through one guard, the last one leads back. */
const PAGES = [
  ...[
    '/payments',
    `/payments/${randomUUID()}`,
    `/pay/${randomUUID()}`,
    `/simulated-confirmation?id=${randomUUID()}`,
  ],
  ...['/cards', '/my-savings/statement', `/manage-shared/${randomUUID()}/payments`, '/account-settings'],
  ...['/account-settings/security', '/admin/withdrawals', '/admin/transfers', '/my-savings'],
]

async function enterPassword(user: UserEvent, email: string) {
  await user.type(await screen.findByLabelText('Email'), email)
  await user.type(screen.getByLabelText('Password'), PASSWORD)
  await user.click(screen.getByRole('button', { name: 'Sign In' }))
  expect(await screen.findByRole('heading', { name: 'One more step' })).toBeTruthy()
}

it('the password alone opens no page and no call; the code of the app does, and leads where one was going', async () => {
  const { person, secret } = await setUpAndLeave('two.step@potluck.example')
  const { user, at, client, router } = await openApp(
    server,
    '/signin?redirect=%2Faccount-settings%2Fsecurity',
  )
  await enterPassword(user, person.email)
  for (const page of PAGES) {
    await router.navigate({ href: page })
    await waitFor(() => expect(at()).toBe(`/signin?redirect=${encodeURIComponent(page)}`))
  }
  expect((await client.rpc('get_mail_preference')).error).toMatchObject({
    code: '42501',
    message: 'Your account asks for the code of your authenticator app as well.',
  })
  const code = await screen.findByLabelText('Code of your authenticator app')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  expect(screen.getByText('Enter the code')).toBeTruthy()
  await user.type(code, '000000')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByText('This code is wrong, too old, or used already')).toBeTruthy()
  await user.clear(code)
  await user.type(code, codeOf(secret, 1))
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(at()).toBe('/my-savings'))
  expect((await client.rpc('get_mail_preference')).error).toBeNull()
})

it('a recovery code stands in for a lost app, once', async () => {
  const { person, recovery } = await setUpAndLeave('lost.app@potluck.example')
  const { user, at } = await openApp(server, '/signin?redirect=%2Faccount-settings%2Fsecurity')
  await enterPassword(user, person.email)
  await user.click(screen.getByRole('button', { name: 'Use a recovery code' }))
  await user.type(screen.getByLabelText('Recovery code'), recovery)
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(at()).toBe('/account-settings/security'))
  expect(await (await card()).findByText(/Recovery codes left: 9 of 10/)).toBeTruthy()
})

it('somebody else may sign in instead of going on', async () => {
  const { person } = await setUpAndLeave('not.me@potluck.example')
  const { user } = await openApp(server, '/signin')
  await enterPassword(user, person.email)
  await user.click(screen.getByRole('button', { name: 'Sign in as somebody else' }))
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeTruthy()
})

it('it is switched off as it was switched on, and new codes end the old ones', async () => {
  const { user, person, recovery } = await setUp('off.again@potluck.example')
  await user.click((await card()).getByRole('button', { name: 'New recovery codes' }))
  const codes = within(await screen.findByRole('dialog', { name: 'Your recovery codes' }))
  expect(codes.queryByText(recovery)).toBeNull()
  await user.click(codes.getByRole('button', { name: 'I have kept them' }))
  await user.click((await card()).getByRole('button', { name: 'Switch off' }))
  await user.click(
    within(await screen.findByRole('dialog', { name: /^Switch off/ })).getByRole('button', {
      name: 'Switch off',
    }),
  )
  await toasted('success', 'Two-step sign-in is off', 'Your password alone signs you in again.')
  expect(await (await card()).findByRole('button', { name: 'Set up' })).toBeTruthy()
  const again = await openApp(server, '/account-settings/security', { as: person })
  await waitFor(() => expect(again.at()).toBe('/account-settings/security'))
  expect(await (await card()).findByRole('button', { name: 'Set up' })).toBeTruthy()
})
