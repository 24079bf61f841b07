// Passkeys in a real browser with its own authenticator: created, used to sign in, and useless to a thief.
// Proves SAFE 03
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type CDPSession, expect, type Page, test } from '@playwright/test'
import type { SupabaseClient } from '@supabase/supabase-js'
import { sessionOf } from './people.ts'
import { type Potluck, startPotluck } from './potluck.ts'

const CLIENT = readFileSync(
  join(createRequire(import.meta.url).resolve('@supabase/supabase-js'), '../umd/supabase.js'),
  'utf8',
)
const NOT_TRUE = { code: 'webauthn_verification_failed', status: 400 }

interface Holder {
  client: SupabaseClient
  supabase: { createClient: (url: string, key: string, options: object) => SupabaseClient }
}

let potluck: Potluck
test.beforeAll(async () => {
  // Passkeys belong to a domain name, and an IP address is not one.
  potluck = await startPotluck({}, 'localhost')
})
test.afterAll(() => potluck.close())

/** Opens a page of the site, and creates a signed-out client in it. */
async function openClient(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.evaluate(CLIENT)
  await page.evaluate(
    ([at, key]) => {
      const holder = window as unknown as Holder
      const auth = { persistSession: false, autoRefreshToken: false }
      holder.client = holder.supabase.createClient(at, key, { auth })
    },
    [potluck.url, potluck.key] as const,
  )
}

/** Signs in and returns the session's level, methods and email address, or the error. */
const signIn = (page: Page) =>
  page.evaluate(async () => {
    const { data, error } = await (window as unknown as Holder).client.auth.signInWithPasskey()
    if (error) return { code: error.code, status: 'status' in error ? error.status : undefined }
    const [, claims = ''] = data.session?.access_token.split('.') ?? []
    const { aal, amr } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))
    return { aal, methods: amr.map(({ method }: { method: string }) => method), email: data.user?.email }
  })

async function addAuthenticator(cdp: CDPSession): Promise<string> {
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return authenticatorId
}

test('one is made and signs in; what was sent once, another page and a copy of the key do not', async ({
  page,
}) => {
  const cdp = await page.context().newCDPSession(page)
  const authenticatorId = await addAuthenticator(cdp)
  const email = 'keyholder@potluck.example'
  const { access_token, refresh_token } = await sessionOf(potluck, email)
  await openClient(page, potluck.url)
  const made = await page.evaluate(
    async (session) => {
      const { auth } = (window as unknown as Holder).client
      await auth.setSession(session)
      const { data, error } = await auth.registerPasskey()
      const { data: all } = await auth.passkey.list()
      await auth.signOut()
      return { data, error: error?.message, all }
    },
    { access_token, refresh_token },
  )
  expect(made).toEqual({ data: expect.objectContaining({ id: expect.any(String) }), all: [made.data] })

  const sending = page.waitForRequest(/\/passkeys\/authentication\/verify$/)
  const entered = { aal: 'aal1', methods: ['passkey'], email }
  expect(await signIn(page)).toEqual(entered)

  // An eavesdropper may replay the whole response, or the signature with another challenge.
  const sent = (await sending).postDataJSON() as { challenge_id: string; credential: object }
  const ask = async (path: string, body: object) => {
    const headers = { apikey: potluck.key, 'content-type': 'application/json' }
    const address = `${potluck.url}/auth/v1/passkeys/authentication/${path}`
    return (await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  expect(await ask('verify', sent)).toMatchObject({ error_code: 'webauthn_challenge_not_found' })
  const { challenge_id } = await ask('options', {})
  expect(await ask('verify', { ...sent, challenge_id })).toMatchObject({ error_code: NOT_TRUE.code })

  // Browsers let every port of a host use the host's passkeys; the site accepts only its own origin.
  const elsewhere = createServer((_, answer) => answer.end('<!doctype html>')).listen(0)
  try {
    await openClient(page, `http://localhost:${(elsewhere.address() as AddressInfo).port}`)
    expect(await signIn(page)).toEqual(NOT_TRUE)
  } finally {
    elsewhere.close()
  }

  // A copy of the passkey, made before the owner's last sign-in, continues from the old counter.
  await openClient(page, potluck.url)
  const [copy] = (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  if (!copy) throw new Error('The authenticator holds no passkey')
  expect(copy.signCount).toBeGreaterThan(0)
  expect(await signIn(page)).toEqual(entered)
  await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: copy.credentialId })
  await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: copy })
  expect(await signIn(page)).toEqual(NOT_TRUE)
})

test('the screens make one, and sign in with it', async ({ page }) => {
  await addAuthenticator(await page.context().newCDPSession(page))
  const session = JSON.stringify(await sessionOf(potluck, 'by.hand@potluck.example'))
  await page.goto(potluck.url)
  await page.evaluate((value) => localStorage.setItem('sb-localhost-auth-token', value), session)
  await page.goto(`${potluck.url}/account-settings/security`)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Kitchen laptop')
  await page.getByRole('button', { name: 'Save name' }).click()
  const row = page.getByRole('article', { name: 'Kitchen laptop' })
  await expect(row).toContainText('Not used yet')

  await page.evaluate(() => localStorage.clear())
  // The browser offers the passkey in the email field, and the test accepts it.
  await page.goto(`${potluck.url}/signin?redirect=%2Faccount-settings%2Fsecurity`)
  await expect(row).toContainText('Last used')
  await row.getByRole('button', { name: 'Remove Kitchen laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click()
  await expect(row).toHaveCount(0)
})
