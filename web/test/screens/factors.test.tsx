// Proofs of identity beside the password: an authenticator app, recovery codes, passkeys and mailed codes, at sign-in
// and again before an action that cannot be undone.
// Proves SAFE 01-03
import { randomUUID } from 'node:crypto'
import { freePort } from '@potluck/server/test/free-port.ts'
import { PASSWORD, type TestServer, type TestUser, testServer } from '@potluck/server/test/harness.ts'
import type { SupabaseClient } from '@supabase/supabase-js'
import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { TOTP } from 'otpauth'
import { expect, it, vi } from 'vitest'
import { currentSessionId } from '#lib/session.ts'
import { moveCoins } from '../../../supabase/tests/coins.ts'
import { openApp, toasted } from '../app.tsx'
import { failNetwork, skipWaits } from '../network.ts'
import { card, dialog, region } from '../parts.ts'
import { plugIn } from '../passkeys.ts'
import { newPerson } from '../people.ts'

const SECURITY = '/account-settings/security'
const GONE = ['success', 'Account deleted', 'Thank you for sharing with us.'] as const
const PROOF = 'Confirm it’s you'
const server = await testServer()
// Passkeys belong to a domain, so this site is on localhost.
const port = String(await freePort())
const site = await testServer({ PORT: port, SITE_URL: `http://localhost:${port}` })
const codeOf = (secret: string, steps: number) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 })
const twoStep = () => region('Two-step sign-in')

/**
 * Pages about money and about access to the account. All use one guard, and signing in leads back to the last of them.
 */
const PAGES = [`/pay/${randomUUID()}`, '/account-settings', '/my-savings']

const codesIn = (shown: Awaited<ReturnType<typeof dialog>>) =>
  shown.getAllByText(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/).map(({ textContent }) => textContent ?? '')

async function enterPassword(user: UserEvent, email: string) {
  await user.type(await screen.findByLabelText('Email', { selector: 'input' }), email)
  await user.type(screen.getByLabelText('Password', { selector: 'input' }), PASSWORD)
  await user.click(screen.getByText('Sign In', { selector: 'form button *' }))
  await screen.findByText('One more step')
}

it('two-step sign-in is set up, asked for at every sign-in, stood in for by a recovery code once, and switched off', async () => {
  const person = await newPerson(server, 'zoe')
  // A site that cannot offer passkeys does not mention them.
  plugIn(server.url)
  const { user, client } = await openApp(server, SECURITY, { as: person })
  const setUp = await (await twoStep()).findByText('Set up two-step sign-in')
  await waitFor(() => expect(setUp.closest('button')?.disabled).toBe(false))
  expect(screen.queryByText('Passkeys')).toBeNull()
  await ageProofs(server, person, client)
  await user.click(setUp)
  const proof = await dialog(PROOF)
  await user.type(await proof.findByLabelText('Password', { selector: 'input' }), `${PASSWORD}{Enter}`)
  const setting = await dialog('Set up two-step sign-in')
  expect((await setting.findByRole('img', { name: /^QR code/ })).getAttribute('src')).toMatch(
    /^data:image\/svg/,
  )
  const secret = setting.getByText(/^[A-Z2-7]{32}$/).textContent ?? ''
  const code = setting.getByLabelText('Code')
  await user.type(code, 'abc123')
  await user.click(setting.getByText('Turn on'))
  await setting.findByText('This code is wrong or expired')
  await user.clear(code)
  await user.type(code, codeOf(secret, 0))
  await user.click(setting.getByText('Turn on'))
  const kept = await dialog('Your recovery codes')
  const first = codesIn(kept)
  expect(first).toHaveLength(10)
  await user.click(kept.getByText('I’ve saved them'))
  await (await twoStep()).findByText('On, with an authenticator app. 10 of 10 recovery codes left.')
  await user.click((await twoStep()).getByText('Get new recovery codes'))
  const renewed = await dialog('Your recovery codes')
  const [recovery = ''] = codesIn(renewed)
  for (const old of first) expect(renewed.queryByText(old)).toBeNull()
  await user.click(renewed.getByText('I’ve saved them'))
  await client.auth.signOut()

  const lost = await openApp(server, `/signin?redirect=${encodeURIComponent(SECURITY)}`)
  await enterPassword(lost.user, person.email)
  await lost.user.click(screen.getByText('Use a recovery code'))
  await lost.user.type(screen.getByLabelText('Recovery code'), recovery)
  await lost.user.click(screen.getByText('Continue'))
  await waitFor(() => expect(lost.at()).toBe(SECURITY))
  await (await twoStep()).findByText(/9 of 10 recovery codes left/)
  await lost.client.auth.signOut()

  const byApp = await openApp(server, '/signin')
  await enterPassword(byApp.user, person.email)
  await byApp.user.click(screen.getByText('Use another account'))
  await screen.findByText('Welcome Back')
  expect(screen.queryByText('Sign in with a passkey')).toBeNull()
  // The password field is empty again, so that the next person must type the whole password.
  await enterPassword(byApp.user, person.email)
  for (const page of PAGES) {
    await byApp.router.navigate({ href: page })
    await waitFor(() => expect(byApp.at()).toBe(`/signin?redirect=${encodeURIComponent(page)}`))
  }
  const asked = await screen.findByLabelText('Code from your authenticator app')
  await byApp.user.click(screen.getByText('Continue'))
  expect(screen.getByText('Enter the code')).toBeTruthy()
  await byApp.user.type(asked, '000000')
  await byApp.user.click(screen.getByText('Continue'))
  await screen.findByText('This code is wrong, expired or already used')
  await byApp.user.clear(asked)
  await byApp.user.type(asked, codeOf(secret, 1))
  await byApp.user.click(screen.getByText('Continue'))
  await waitFor(() => expect(byApp.at()).toBe('/my-savings'))
  await byApp.router.navigate({ href: SECURITY })
  await byApp.user.click(await (await twoStep()).findByText('Turn off'))
  await byApp.user.click((await dialog(/^Turn off/)).getByText('Turn off', { selector: 'button *' }))
  await toasted('success', 'Two-step sign-in is off', 'You now sign in with just your password.')
  await (await twoStep()).findByText('Set up two-step sign-in')
})

/** Makes a person's proofs of identity too old to count. */
async function ageProofs({ db }: TestServer, { id }: TestUser, { auth }: SupabaseClient) {
  await db.query(
    `update auth.sessions set amr = (select jsonb_agg(shown || jsonb_build_object('timestamp', (shown ->> 'timestamp')::numeric - 900))
       from jsonb_array_elements(amr) as shown) where user_id = $1`,
    [id],
  )
  await auth.refreshSession()
}
/** Opens the account settings with a session whose proof of identity has expired. */
async function openLater(person: TestUser) {
  const app = await openApp(server, '/account-settings/privacy', { as: person })
  await ageProofs(server, person, app.client)
  return app
}
/** Tries to delete the account, for which the page may ask for proof first. */
async function tryToEnd(user: { click: UserEvent['click']; type: UserEvent['type'] }, email: string) {
  await user.click((await region('Delete account')).getByText('Delete my account'))
  const ending = await dialog('Delete your account?')
  await user.type(ending.getByLabelText(`Type ${email} to confirm`), email)
  const end = ending.getByText('Delete account').closest('button') as HTMLButtonElement
  await waitFor(() => expect(end.disabled).toBe(false))
  await user.click(end)
}

it('the password shown anew opens a session in place of the old one, which is told where that stays, for ten minutes', async () => {
  const olivia = await newPerson(server, 'olivia')
  const sessions = async () =>
    (await server.db.query('select id from auth.sessions where user_id = $1', [olivia.id])).map(
      ({ id }) => id,
    )
  const { user, cache } = await openLater(olivia)
  const [before, others] = [currentSessionId(), (await sessions()).length - 1]
  await tryToEnd(user, olivia.email)
  const rather = await dialog(PROOF)
  await user.click(rather.getByLabelText('Close'))
  await toasted('error', 'Account not deleted', 'Confirm it’s you.')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await tryToEnd(user, olivia.email)
  const proof = await dialog(PROOF)
  const password = await proof.findByLabelText('Password', { selector: 'input' })
  await user.click(proof.getByText('Confirm'))
  expect(proof.getByText('Please fill this in')).toBeTruthy()
  const offline = failNetwork('POST /auth/v1/token')
  skipWaits(200, 400, 800)
  await user.type(password, 'Wrong-horse-1!{Enter}')
  await proof.findByText(/^You seem to be offline/)
  offline.heal()
  await user.type(password, '{Enter}')
  await proof.findByText('That’s not your password')
  await user.clear(password)
  await moveCoins(server.db, olivia, 'earned', 25)
  await user.type(password, `${PASSWORD}{Enter}`)
  await toasted(
    'error',
    'Account not deleted',
    'You still have 25.00 coins. Add a bank account so we can pay them out.',
  )
  expect(screen.queryByText(PROOF)).toBeNull()
  expect(currentSessionId()).not.toBe(before)
  const left = await sessions()
  expect([left.length - 1, left.includes(before), left.includes(currentSessionId())]).toEqual([
    others,
    false,
    true,
  ])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  // After the refusal, the consequences are loaded again. This load must end before the coins change.
  await waitFor(() => expect(cache.isFetching()).toBe(0))
  await moveCoins(server.db, olivia, 'spent', 25)
  await tryToEnd(user, olivia.email)
  await toasted(...GONE)

  const zoe = await newPerson(server, 'zoe')
  const { user: hers } = await openLater(zoe)
  failNetwork('POST /rpc/end_session')
  await tryToEnd(hers, zoe.email)
  await hers.type(
    await (await dialog(PROOF)).findByLabelText('Password', { selector: 'input' }),
    `${PASSWORD}{Enter}`,
  )
  await toasted(
    'warning',
    'Your old sign-in is still active',
    'You can end it in Account Settings, under Security.',
  )
  await toasted(...GONE)
})

it('whoever has an app shows that, or a recovery code; whoever has no password a code from a mail', async () => {
  const zoe = await newPerson(server, 'zoe')
  const { user, client, router } = await openApp(server, '/about', { as: zoe })
  const { data: enrolled } = await client.auth.mfa.enroll({ factorType: 'totp' })
  if (enrolled?.type !== 'totp') throw new Error('No app was added')
  const used = codeOf(enrolled.totp.secret, 0)
  await client.auth.mfa.challengeAndVerify({ factorId: enrolled.id, code: used })
  const { data: made } = await client.auth.mfa.recoveryCodes.generate()
  await ageProofs(server, zoe, client)
  await router.navigate({ href: '/account-settings/privacy' })
  await tryToEnd(user, zoe.email)
  const byApp = await dialog(PROOF)
  const field = await byApp.findByLabelText('Code from your authenticator app')
  expect(byApp.queryByText('Use my password')).toBeNull()
  await user.type(field, `${used}{Enter}`)
  await byApp.findByText('This code is wrong, expired or already used')
  await user.clear(field)
  await user.type(field, `${made?.codes[0]}{Enter}`)
  await toasted(...GONE)

  const lea = await newPerson(server, 'lea')
  const { user: hers } = await openLater(lea)
  await server.db.query(`update auth.users set encrypted_password = null where id = $1`, [lea.id])
  await tryToEnd(hers, lea.email)
  const byMail = await dialog(PROOF)
  await hers.click(await byMail.findByText('Email me a code'))
  const typed = await byMail.findByLabelText('Code from the email')
  const mail = (await server.outbox()).find(({ to }) => to === lea.email)
  const [code = ''] = /\b\d{6}\b/.exec(mail?.text ?? '') ?? []
  await hers.type(typed, `${code === '000000' ? '111111' : '000000'}{Enter}`)
  await byMail.findByText('This code is wrong or expired')
  await hers.clear(typed)
  await hers.type(typed, `${code}{Enter}`)
  await toasted(...GONE)
})

it('passkeys are added under a suggested name, renamed, sign in by button or in the field, and are removed', async () => {
  const zoe = await newPerson(site, 'zoe')
  const hands = plugIn(site.url)
  const NOT_CHOSEN = 'No passkey was chosen, or it took too long.'
  vi.spyOn(window.navigator, 'userAgent', 'get').mockReturnValue(
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36',
  )
  const { user, client, at } = await openApp(site, SECURITY, { as: zoe })
  const passkeys = await region('Passkeys')
  hands.refuse = true
  const add = () => user.click(passkeys.getByText('Add a passkey'))
  await add()
  await toasted('error', 'No passkey was added', NOT_CHOSEN)
  hands.refuse = false
  await add()
  await toasted('success', 'Passkey added', 'You can now sign in with it.')
  const naming = await dialog('Name this passkey')
  expect(naming.getByLabelText('Name', { selector: 'input' })).toHaveProperty('value', 'Chrome on Windows')
  await user.click(naming.getByText('Save name'))
  expect((await card('Chrome on Windows')).getByText(/Not used yet/)).toBeTruthy()
  await (await region('Recent changes')).findByText('Passkey added')
  await user.click(screen.getByLabelText('Rename Chrome on Windows'))
  const name = (await dialog('Name this passkey')).getByLabelText('Name', { selector: 'input' })
  await user.clear(name)
  await user.type(name, ' Kitchen laptop {Enter}')
  await card('Kitchen laptop')
  await add()
  // Another passkey is requested on a device that already has one.
  await user.click(await (await dialog(PROOF)).findByText('Use a passkey'))
  await toasted('error', 'No passkey was added', 'This device already has a passkey for your account.')
  await client.auth.signOut({ scope: 'local' })

  expect((await screen.findByLabelText('Email')).getAttribute('autocomplete')).toBe('username webauthn')
  hands.refuse = true
  const withPasskey = async () => user.click(await screen.findByText('Sign in with a passkey'))
  await withPasskey()
  await toasted('error', 'Not signed in', NOT_CHOSEN)
  hands.refuse = false
  await withPasskey()
  await waitFor(() => expect(at()).toBe(SECURITY))
  expect((await card('Kitchen laptop')).getByText(/Last used/)).toBeTruthy()
  // The passkey offered by the previous page must not count as offered by the next page.
  hands.chooseInField = () => undefined
  const offered = vi.spyOn(client.auth, 'signInWithPasskey')
  await client.auth.signOut({ scope: 'local' })

  await waitFor(() => expect(offered).toHaveBeenCalledOnce())
  await waitFor(() => expect(hands.chooseInField).toHaveLength(1))
  hands.chooseInField()
  await waitFor(() => expect(at()).toBe(SECURITY))
  await card('Kitchen laptop')
  await user.click(screen.getByLabelText('Remove Kitchen laptop'))
  await user.click((await dialog('Remove this passkey?')).getByText('Remove passkey'))
  await toasted('success', 'Passkey removed', 'It no longer signs you in. Your device may still offer it.')
  await waitFor(() => expect(screen.queryByText('Kitchen laptop')).toBeNull())
  expect((await client.auth.passkey.list()).data).toEqual([])
  await client.auth.signOut({ scope: 'local' })
  await withPasskey()
  await toasted('error', 'Not signed in', 'We don’t know this passkey. It may have been removed.')
})

it('a passkey stands for both steps of signing in, and shows who somebody is if it is theirs', async () => {
  const keyed = async () => {
    const person = await newPerson(site, 'keyed')
    const own = plugIn(site.url)
    const app = await openApp(site, '/about', { as: person })
    expect((await app.client.auth.registerPasskey()).error).toBeNull()
    return { person, own, ...app }
  }
  const { own: strange } = await keyed()
  const { person, own, client: hers, user, at, router } = await keyed()
  expect((await hers.auth.signInWithPasskey()).error).toBeNull()
  const { data: enrolled } = await hers.auth.mfa.enroll({ factorType: 'totp' })
  if (enrolled?.type !== 'totp') throw new Error('No app was added')
  await hers.auth.mfa.challengeAndVerify({ factorId: enrolled.id, code: codeOf(enrolled.totp.secret, 0) })
  await hers.auth.signOut({ scope: 'local' })
  await router.navigate({ href: `/signin?redirect=${encodeURIComponent(SECURITY)}` })
  await user.click(await screen.findByText('Sign in with a passkey'))
  await waitFor(() => expect(at()).toBe(SECURITY))
  // Changing the second factor itself requires the app.
  await user.click(await (await twoStep()).findByText('Turn off'))
  await user.click((await dialog(/^Turn off/)).getByText('Turn off', { selector: 'button *' }))
  const code = await (await dialog(PROOF)).findByLabelText('Code from your authenticator app')
  await user.type(code, `${codeOf(enrolled.totp.secret, 1)}{Enter}`)
  await toasted('success', 'Two-step sign-in is off', 'You now sign in with just your password.')
  await ageProofs(site, person, hers)
  await router.navigate({ href: '/account-settings/privacy' })
  await tryToEnd(user, person.email)
  const proof = await dialog(PROOF)
  const mine = own.authenticator
  own.authenticator = strange.authenticator
  await user.click(await proof.findByText('Use a passkey'))
  await proof.findByText('That passkey belongs to another account. Use one of yours.')
  own.authenticator = mine
  await user.click(proof.getByText('Use a passkey'))
  await toasted(...GONE)
})
