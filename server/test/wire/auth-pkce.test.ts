// PKCE clients: auth-js starts the flow, and exchanges the code in the query for a session.
import type { SupabaseClient } from '@supabase/supabase-js'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { PASSWORD } from '../harness.ts'
import { BANNED, refusal } from './auth-service.ts'
import { openSocialAuth, WANTED } from './social-provider.ts'

const { world, auth, leave, open, signInThere, comeBack } = await openSocialAuth()

const newClient = () => auth.client({ flowType: 'pkce' })

/** Follows a mailed link, which must lead to the requested page with nothing but a code. Returns the code. */
async function codeFrom(email: string): Promise<string> {
  const link = await auth.linkTo(email)
  expect(link.searchParams.get('token')).toMatch(/^pkce_[0-9a-f]{56}$/)
  const { status, to, fragment } = await auth.follow(link)
  const page = new URL(to)
  expect([status, `${page.origin}${page.pathname}`, [...fragment]]).toEqual([303, WANTED, []])
  expect([...page.searchParams.keys()]).toEqual(['code'])
  return page.searchParams.get('code') ?? ''
}
const VERIFIER = 'v'.repeat(43)
/** Requests a code for the account, with a plain verifier. Returns the code. */
async function ask(email: string) {
  const challenge = { code_challenge: VERIFIER, code_challenge_method: 'plain' }
  await auth.post(`/otp?redirect_to=${WANTED}`, { email, ...challenge })
  return codeFrom(email)
}
const exchange = async (client: SupabaseClient, code: string) => {
  const { data, error } = await client.auth.exchangeCodeForSession(code)
  expect(error).toBeNull()
  return data as typeof data & { redirectType?: string | null }
}
const raw = (auth_code: string, code_verifier: string) =>
  auth.post('/token?grant_type=pkce', { auth_code, code_verifier })

describe('by a mail', () => {
  test.each(['signUp', 'signInWithOtp', 'resetPasswordForEmail', 'resend'] as const)(
    '%s leads to a session of the client that asked',
    async (door) => {
      const email = `${door}@example.com`.toLowerCase()
      const client = newClient()
      if (door === 'resetPasswordForEmail') await auth.enrol(email)
      const options = { emailRedirectTo: WANTED }
      const asked = {
        signUp: () => client.auth.signUp({ email, password: PASSWORD, options }),
        signInWithOtp: () => client.auth.signInWithOtp({ email, options }),
        resetPasswordForEmail: () => client.auth.resetPasswordForEmail(email, { redirectTo: WANTED }),
        resend: async () => {
          await newClient().auth.signInWithOtp({ email })
          return client.auth.resend({ type: 'signup', email, options })
        },
      }
      expect((await asked[door]()).error).toBeNull()
      const { session, redirectType } = await exchange(client, await codeFrom(email))
      expect(session?.user).toMatchObject({ email, email_confirmed_at: expect.any(String) })
      expect(decodeJwt(session?.access_token ?? '').amr).toMatchObject([{ method: 'otp' }])
      expect(redirectType === 'recovery').toBe(door === 'resetPasswordForEmail')
    },
  )

  test('a change of the address is agreed to in both boxes, and the second leads to the code', async () => {
    // This is sent without auth-js, which deletes its verifier as soon as the request has its response.
    const { email, accessToken } = await auth.enrol('old@example.com')
    const wish = { email: 'new@example.com', code_challenge: VERIFIER, code_challenge_method: 'plain' }
    await auth.put(`/user?redirect_to=${WANTED}`, wish, { bearer: accessToken })
    const half = await auth.follow(await auth.linkTo(email))
    expect(new URL(half.to).searchParams.get('message')).toMatch(/^Confirmation link accepted/)
    const { body } = await raw(await codeFrom('new@example.com'), VERIFIER)
    expect(body.user).toMatchObject({ email: 'new@example.com' })
  })

  test('a link that is used up says so in the query, where such a client looks', async () => {
    const client = newClient()
    await client.auth.signInWithOtp({ email: 'twice@example.com', options: { emailRedirectTo: WANTED } })
    await codeFrom('twice@example.com')
    const { to } = await auth.follow(await auth.linkTo('twice@example.com'))
    expect(new URL(to).searchParams.get('error_code')).toBe('otp_expired')
  })

  test('its token, handed in by a page of the server’s side, is a session at once', async () => {
    await newClient().auth.signInWithOtp({ email: 'ssr@example.com' })
    const token_hash = (await auth.linkTo('ssr@example.com')).searchParams.get('token') ?? ''
    const { data, error } = await newClient().auth.verifyOtp({ token_hash, type: 'email' })
    expect([error, data.session?.user.email]).toEqual([null, 'ssr@example.com'])
    const again = refusal(await auth.post('/verify', { token_hash, type: 'email' }))
    expect(again).toEqual([403, 'otp_expired', 'Email link is invalid or has expired'])
  })
})

test('by a provider: the session comes with the provider’s tokens, and none in an address', async () => {
  world.person = { id: 'pkce', name: 'Olivia', email: 'olivia@example.com' }
  const client = newClient()
  const { data } = await client.auth.signInWithOAuth({
    provider: 'google',
    options: { redirectTo: WANTED, skipBrowserRedirect: true },
  })
  const { status, page, query, fragment } = await comeBack(await signInThere(await open(data.url ?? '')))
  expect([status, page, fragment, [...query.keys()]]).toEqual([302, WANTED, {}, ['code']])
  const { session } = await exchange(client, query.get('code') ?? '')
  expect(session).toMatchObject({
    provider_token: expect.stringMatching(/^google-/),
    provider_refresh_token: 'google-refresh',
    user: { email: 'olivia@example.com', app_metadata: { provider: 'google' } },
  })
  expect(decodeJwt(session?.access_token ?? '').amr).toMatchObject([{ method: 'oauth' }])
})

describe('a code', () => {
  test('is worth nothing to who does not know the verifier, and stays good for who does, once', async () => {
    const code = await ask('stolen@example.com')
    const wrong = [400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier']
    expect(refusal(await raw(code, 'w'.repeat(43)))).toEqual(wrong)
    expect((await raw(code, VERIFIER)).status).toBe(200)
    expect((await raw(code, VERIFIER)).body.error_code).toBe('flow_state_not_found')
  })

  test.each([
    [290, [200, undefined, undefined]],
    [301, [422, 'flow_state_expired', 'invalid flow state, flow state has expired']],
  ])('is good for five minutes: after %i seconds it is answered %j', async (seconds, answer) => {
    const code = await ask(`slow-${seconds}@example.com`)
    await auth.db.query(
      'update auth.flow_state set auth_code_issued_at = now() - make_interval(secs => $1::float8)',
      [String(seconds)],
    )
    expect(refusal(await raw(code, VERIFIER))).toEqual(answer)
  })

  test('opens nothing for somebody banned meanwhile', async () => {
    const code = await ask('banned@example.com')
    await auth.setUser('banned@example.com', BANNED)
    expect((await raw(code, VERIFIER)).body.error_code).toBe('user_banned')
  })

  test('that is not brought back is cleared away in passing', async () => {
    await ask('kept@example.com')
    await auth.db.query("update auth.flow_state set created_at = created_at - interval '1 hour'")
    for (const email of ['one@example.com', 'two@example.com', 'three@example.com']) await ask(email)
    const old = "select 1 from auth.flow_state where created_at < now() - interval '5 minutes'"
    expect(await auth.db.query(old)).toEqual([])
  })
})

test('the database holds nothing that opens an account: no link, code or token, and no state of a provider', async () => {
  const { email, refreshToken } = await auth.enrol('secret@example.com')
  await auth.post('/recover', { email })
  const link = (await auth.linkTo(email)).searchParams.get('token') ?? ''
  const [code, other] = [await ask('kept@example.com'), await auth.codeTo(email)]
  const [, state = ''] = new URL(await leave('google')).searchParams.get('state')?.split('.') ?? []
  const [{ rows = '' } = {}] = await auth.db.query<{ rows: string }>(`select concat(
    (select jsonb_agg(t) from auth.one_time_tokens as t), (select jsonb_agg(s) from auth.sessions as s),
    (select jsonb_agg(f) from auth.flow_state as f)) as rows`)
  expect(rows).toContain('recovery')
  for (const secret of [refreshToken, link, code, `"${other}"`, state]) {
    expect(secret.length).toBeGreaterThan(7)
    expect(rows).not.toContain(secret)
  }
})
