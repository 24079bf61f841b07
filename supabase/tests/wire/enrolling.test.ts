// The factors that a session may enrol with its proof: the auth service names the person, and the project's own rule
// decides.
// Proves SAFE 02 03
import { expect, test } from 'vitest'
import { freePort } from '../../../server/test/free-port.ts'
import { addAccount, testServer } from '../../../server/test/harness.ts'
import { newAuthenticator } from '../../../server/test/wire/authenticator.ts'
import { signedInBy } from '../edge-functions/hosts.ts'

// Passkeys belong to a domain, so this server is on localhost.
const PORT = String(await freePort())
const origin = `http://localhost:${PORT}`
const server = await testServer({ PORT, SITE_URL: origin })
const ENOUGH = 590
const STALE = 605

async function ask(path: string, token: string, body: object = {}) {
  const answer = await fetch(`${server.url}/auth/v1${path}`, {
    method: 'POST',
    headers: { apikey: server.anonKey, Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: await answer.json() }
}
/** Makes a passkey as a browser does. */
async function addPasskey(token: string) {
  const { challenge_id, options } = (await ask('/passkeys/registration/options', token)).body
  const credential = newAuthenticator({ site: 'localhost', origin }).create(options)
  return ask('/passkeys/registration/verify', token, { challenge_id, credential })
}

test.each(
  Object.entries({
    'an authenticator app': (token: string) => ask('/factors', token, { factor_type: 'totp' }),
    'a passkey': addPasskey,
  }),
)('%s, also the first, takes a proof not older than the one that money takes', async (what, enrol) => {
  const { accessToken } = await addAccount(server, `${what.replaceAll(' ', '-')}@potluck.example`)
  expect(await enrol(await signedInBy(server, accessToken, 'password', STALE))).toMatchObject({
    status: 403,
    body: { error_code: 'PT403', msg: 'Confirm it’s you.' },
  })
  expect((await enrol(await signedInBy(server, accessToken, 'password', ENOUGH))).status).toBe(200)
})

test('so do recovery codes, the first and those that replace them', async () => {
  const { id, accessToken } = await addAccount(server, 'codes@potluck.example')
  await server.db.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status)
     values (gen_random_uuid(), $1, 'Phone', 'totp', 'verified')`,
    [id],
  )
  await server.db.query(`update auth.sessions set aal = 'aal2' where user_id = $1`, [id])
  for (const path of ['/factors/recovery-codes', '/factors/recovery-codes/regenerate']) {
    const status = async (ago: number) =>
      (await ask(path, await signedInBy(server, accessToken, 'totp', ago))).status
    expect([await status(STALE), await status(ENOUGH)]).toEqual([403, 200])
  }
})
