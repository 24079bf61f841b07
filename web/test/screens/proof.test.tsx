// Showing anew that it is you, before the account ends.
import { addUser, PASSWORD, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import { currentSessionId } from '#lib/session.ts'
import { openApp, toasted } from '../app.tsx'
import { failNetwork, skipWaits } from '../network.ts'
import { join, newPeople, sharePlan } from '../sharing.ts'

const server = await testServer()
const sessionsOf = async ({ id }: { id: string }) =>
  (await server.db.query('select id from auth.sessions where user_id = $1', [id])).map((one) => one.id)

/** Opens the account settings with a session in which nobody has shown anything for a while. */
async function openLater({ id, email }: TestUser) {
  const app = await openApp(server, '/account-settings', { as: { email } })
  await age(id)
  await app.client.auth.refreshSession()
  return app
}
const age = (id: string) =>
  server.db.query(
    `update auth.sessions set amr = (select jsonb_agg(shown || jsonb_build_object('timestamp', (shown ->> 'timestamp')::numeric - 900))
       from jsonb_array_elements(amr) as shown) where user_id = $1`,
    [id],
  )

async function tryToEnd(user: UserEvent, email: string) {
  const card = within(await screen.findByRole('region', { name: 'Delete account' }))
  await user.click(card.getByRole('button', { name: 'Delete my account' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete your account?' }))
  await user.type(dialog.getByLabelText(`Type ${email} to confirm`), email)
  await user.click(dialog.getByRole('button', { name: 'Delete for good' }))
}
const title = { name: 'Please confirm that it is you' }
const proof = async () => within(await screen.findByRole('dialog', title))

it('the password opens a session in place of the old one, for ten minutes', async () => {
  const { olivia, marc } = await newPeople(server)
  const plan = await sharePlan(olivia)
  await join(olivia, marc, plan)
  const { user } = await openLater(olivia)
  const [before, elsewhere] = [currentSessionId(), (await sessionsOf(olivia)).length - 1]
  await tryToEnd(user, olivia.email)
  const dialog = await proof()
  const password = await dialog.findByLabelText('Password')
  await user.click(dialog.getByRole('button', { name: 'Confirm' }))
  expect(dialog.getByText('Please fill this in')).toBeTruthy()
  const offline = failNetwork('POST /auth/v1/token')
  skipWaits(200, 400, 800)
  await user.type(password, 'Wrong-horse-1!{Enter}')
  expect(await dialog.findByText(/^The connection seems to be down/)).toBeTruthy()
  offline.heal()
  await user.type(password, '{Enter}')
  expect(await dialog.findByText('That is not your password')).toBeTruthy()
  await user.clear(password)
  await user.type(password, `${PASSWORD}{Enter}`)
  await toasted(
    'error',
    'Your account is still there',
    'Other people still have a place in a plan you share. Cancel those plans first.',
  )
  expect(screen.queryByRole('dialog', title)).toBeNull()
  expect(currentSessionId()).not.toBe(before)
  const left = await sessionsOf(olivia)
  expect([left.length - 1, left.includes(before), left.includes(currentSessionId())]).toEqual([
    elsewhere,
    false,
    true,
  ])
  await olivia.client.from('shared_subscriptions').delete().eq('id', plan).throwOnError()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await tryToEnd(user, olivia.email)
  await toasted('success', 'Your account has been deleted', 'Thank you for having been at the table.')
})

it('says that the former session is still open when it could not be ended', async () => {
  const zoe = await addUser(server, 'zoe.open@potluck.example')
  const { user } = await openLater(zoe)
  const before = currentSessionId()
  failNetwork('POST /rpc/end_session')
  await tryToEnd(user, zoe.email)
  await user.type(await (await proof()).findByLabelText('Password'), `${PASSWORD}{Enter}`)
  await toasted(
    'warning',
    'Your former sign-in is still open',
    'You can end it under Sessions in your security settings.',
  )
  expect(currentSessionId()).not.toBe(before)
})

it('who would rather not reads why nothing was done', async () => {
  const zoe = await addUser(server, 'zoe.proof@potluck.example')
  const { user } = await openLater(zoe)
  await tryToEnd(user, zoe.email)
  await user.click((await proof()).getByRole('button', { name: 'Close' }))
  await toasted('error', 'Your account is still there', 'Please confirm that it is you.')
})

it('with two-step sign-in the app is asked for, and a recovery code stands in for it', async () => {
  const zoe = await addUser(server, 'zoe.proof.totp@potluck.example')
  const { user, client } = await openApp(server, '/about', { as: zoe })
  const { mfa } = client.auth
  const enrolled = await mfa.enroll({ factorType: 'totp' })
  const { id: factorId, totp } = enrolled.data ?? { id: '', totp: { secret: '' } }
  const code = new TOTP({ secret: totp.secret }).generate()
  await mfa.challengeAndVerify({ factorId, code })
  const { data: made } = await mfa.recoveryCodes.generate()
  await age(zoe.id)
  await client.auth.refreshSession()
  await user.click(await screen.findByRole('button', { name: 'Your menu' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Account Settings' }))
  await tryToEnd(user, zoe.email)
  const dialog = await proof()
  const field = await dialog.findByLabelText('Code of your authenticator app')
  expect(dialog.queryByText('Use my password')).toBeNull()
  await user.type(field, `${code}{Enter}`)
  expect(await dialog.findByText('This code is wrong, too old, or used already')).toBeTruthy()
  await user.clear(field)
  await user.type(field, `${made?.codes[0]}{Enter}`)
  await toasted('success', 'Your account has been deleted', 'Thank you for having been at the table.')
})

it('who has nothing else gets a code by mail', async () => {
  const zoe = await addUser(server, 'zoe.proof.mail@potluck.example')
  const { user } = await openLater(zoe)
  await server.db.query(`update auth.users set encrypted_password = null where id = $1`, [zoe.id])
  await tryToEnd(user, zoe.email)
  const dialog = await proof()
  await user.click(await dialog.findByRole('button', { name: 'Mail me a code' }))
  const field = await dialog.findByLabelText('Code from the e-mail')
  const mail = (await server.outbox()).find(({ to }) => to === zoe.email)
  const [code = ''] = /\b\d{6}\b/.exec(mail?.text ?? '') ?? []
  await user.type(field, `${code === '000000' ? '111111' : '000000'}{Enter}`)
  expect(await dialog.findByText('This code is wrong or too old')).toBeTruthy()
  await user.clear(field)
  await user.type(field, `${code}{Enter}`)
  await toasted('success', 'Your account has been deleted', 'Thank you for having been at the table.')
})
