// Passkeys from the security page to signing in and to showing anew that it is you.
import { freePort } from '@potluck/server/test/free-port.ts'
import { addUser, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { TOTP } from 'otpauth'
import { describe, expect, it, vi } from 'vitest'
import { openApp, toasted } from '../app.tsx'
import { plugIn } from '../passkeys.ts'

const SECURITY = '/account-settings/security'
const NOT_CHOSEN = 'No passkey was chosen, or it took too long.'
const card = async (name: string) => within(await screen.findByRole('region', { name }))
const dialogOf = async (name: string) => within(await screen.findByRole('dialog', { name }))

describe('a site that has passkeys', async () => {
  const port = String(await freePort())
  const server = await testServer({ PORT: port, SITE_URL: `http://localhost:${port}` })
  let people = 0

  /** Somebody signed in who has a passkey. */
  async function keyed() {
    people += 1
    const person = await addUser(server, `keyed${people}@potluck.example`)
    const hands = plugIn(server.url)
    const app = await openApp(server, '/about', { as: person })
    const { data, error } = await app.client.auth.registerPasskey()
    if (error) throw error
    return { person, hands, passkey: data, ...app }
  }
  const goTo = (app: Awaited<ReturnType<typeof openApp>>, address: string) =>
    app.router.navigate({ href: address })

  it('they are added under a suggested name, renamed and removed', async () => {
    const zoe = await addUser(server, 'zoe.passkeys@potluck.example')
    const hands = plugIn(server.url)
    vi.spyOn(window.navigator, 'userAgent', 'get').mockReturnValue(
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36',
    )
    const { user, client } = await openApp(server, SECURITY, { as: zoe })
    const passkeys = await card('Passkeys')
    hands.refuse = true
    await user.click(passkeys.getByRole('button', { name: 'Add a passkey' }))
    await toasted('error', 'No passkey was added', NOT_CHOSEN)
    hands.refuse = false
    await user.click(passkeys.getByRole('button', { name: 'Add a passkey' }))
    await toasted('success', 'Passkey added', 'You can sign in with it from now on.')
    const naming = await dialogOf('Name this passkey')
    expect(naming.getByLabelText('Name')).toHaveProperty('value', 'Chrome on Windows')
    await user.click(naming.getByRole('button', { name: 'Save name' }))
    const row = within(await passkeys.findByRole('article', { name: 'Chrome on Windows' }))
    expect(row.getByText(/Not used yet/)).toBeTruthy()
    expect(await (await card('What changed lately')).findByText('Passkey added')).toBeTruthy()
    await user.click(row.getByRole('button', { name: 'Rename Chrome on Windows' }))
    const renaming = await dialogOf('Name this passkey')
    await user.clear(renaming.getByLabelText('Name'))
    await user.type(renaming.getByLabelText('Name'), ' Kitchen laptop {Enter}')
    await toasted('success', 'Name saved')
    const renamed = within(await passkeys.findByRole('article', { name: 'Kitchen laptop' }))
    await user.click(passkeys.getByRole('button', { name: 'Add a passkey' }))
    await toasted('error', 'No passkey was added', 'This device has a passkey for your account already.')
    await user.click(renamed.getByRole('button', { name: 'Remove Kitchen laptop' }))
    const removing = await dialogOf('Remove this passkey?')
    await user.click(removing.getByRole('button', { name: 'Remove' }))
    await toasted(
      'success',
      'Passkey removed',
      'It opens your account no more. Your device may still offer it.',
    )
    await waitFor(() => expect(passkeys.queryByRole('article')).toBeNull())
    expect((await client.auth.passkey.list()).data).toEqual([])
  })

  it('one signs in without a password, by button or where the address is typed', async () => {
    const { person, hands, client } = await keyed()
    await client.auth.signOut({ scope: 'local' })
    const byButton = await openApp(server, `/signin?redirect=${encodeURIComponent(SECURITY)}`)
    expect((await screen.findByLabelText('Email')).getAttribute('autocomplete')).toBe('username webauthn')
    hands.refuse = true
    await byButton.user.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }))
    await toasted('error', 'Not signed in', NOT_CHOSEN)
    hands.refuse = false
    await byButton.user.click(screen.getByRole('button', { name: 'Sign in with a passkey' }))
    await waitFor(() => expect(byButton.at()).toBe(SECURITY))
    const row = within(await (await card('Passkeys')).findByRole('article'))
    expect(row.getByText(/Last used/)).toBeTruthy()
    await byButton.client.auth.signOut({ scope: 'local' })

    const inField = await openApp(server, '/signin?redirect=%2Fmy-savings')
    const offered = vi.spyOn(inField.client.auth, 'signInWithPasskey')
    await screen.findByRole('button', { name: 'Sign in with a passkey' })
    await waitFor(() => expect(offered).toHaveBeenCalledOnce())
    await waitFor(() => expect(hands.chooseInField).toHaveLength(1))
    hands.chooseInField()
    await waitFor(() => expect(inField.at()).toBe('/my-savings'))
    expect((await inField.client.auth.getUser()).data.user?.email).toBe(person.email)
  })

  it('one that was removed says so', async () => {
    const { client, passkey } = await keyed()
    await client.auth.passkey.delete({ passkeyId: passkey.id })
    await client.auth.signOut({ scope: 'local' })
    const { user } = await openApp(server, '/signin')
    await user.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }))
    await toasted(
      'error',
      'Not signed in',
      'This passkey is not known here. It may have been removed from its account.',
    )
  })

  it('one stands for both steps of signing in, but what protects the account asks for the app', async () => {
    const { client } = await keyed()
    const { mfa } = client.auth
    const { id: factorId, totp } = (await mfa.enroll({ factorType: 'totp' })).data ?? {
      id: '',
      totp: { secret: '' },
    }
    const app = new TOTP({ secret: totp.secret })
    await mfa.challengeAndVerify({ factorId, code: app.generate() })
    await client.auth.signOut({ scope: 'local' })
    const { user, at } = await openApp(server, `/signin?redirect=${encodeURIComponent(SECURITY)}`)
    await user.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }))
    await waitFor(() => expect(at()).toBe(SECURITY))
    const twoStep = await card('Two-step sign-in')
    await user.click(await twoStep.findByRole('button', { name: 'Switch off' }))
    await user.click(
      (await dialogOf('Switch off two-step sign-in?')).getByRole('button', { name: 'Switch off' }),
    )
    const proof = await dialogOf('Please confirm that it is you')
    const later = app.generate({ timestamp: Date.now() + 30_000 })
    await user.type(await proof.findByLabelText('Code of your authenticator app'), `${later}{Enter}`)
    await toasted('success', 'Two-step sign-in is off', 'Your password alone signs you in again.')
  })

  it('one shows that it is you, if it is yours', async () => {
    const other = await keyed()
    const { hands: strange } = other
    const { person, hands, ...app } = await keyed()
    await ageProofs(person)
    await app.client.auth.refreshSession()
    await goTo(app, '/account-settings')
    const ending = await card('Delete account')
    await app.user.click(ending.getByRole('button', { name: 'Delete my account' }))
    const dialog = await dialogOf('Delete your account?')
    await app.user.type(dialog.getByLabelText(/^Type/), person.email)
    await app.user.click(dialog.getByRole('button', { name: 'Delete for good' }))
    const proof = await dialogOf('Please confirm that it is you')
    const own = hands.authenticator
    hands.authenticator = strange.authenticator
    await app.user.click(await proof.findByRole('button', { name: 'Use a passkey' }))
    await proof.findByText('That passkey belongs to another account. Use one of yours.')
    expect((await app.client.auth.getUser()).data.user?.email).toBe(person.email)
    hands.authenticator = own
    await app.user.click(proof.getByRole('button', { name: 'Use a passkey' }))
    await toasted('success', 'Your account has been deleted', 'Thank you for having been at the table.')
  })

  const ageProofs = ({ id }: TestUser) =>
    server.db.query(
      `update auth.sessions set amr = '[{"method":"password","timestamp":1}]' where user_id = $1`,
      [id],
    )
})

it('a site that can have none says nothing of passkeys', async () => {
  const server = await testServer()
  const zoe = await addUser(server, 'zoe.nokeys@potluck.example')
  plugIn(server.url)
  await openApp(server, '/signin')
  await screen.findByRole('button', { name: 'Sign In' })
  expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull()
  await openApp(server, SECURITY, { as: zoe })
  await card('Where you are signed in')
  expect(screen.queryByRole('region', { name: 'Passkeys' })).toBeNull()
})
