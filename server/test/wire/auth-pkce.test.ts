// The flow of clients that wait for a code: asked for by auth-js, brought back in the query, exchanged for a session.
import type { SupabaseClient } from '@supabase/supabase-js'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { PASSWORD } from '../harness.ts'
import { accountsOf, call, clientOf, enrol, follow, linkTo, openAuth, refusal } from './auth-service.ts'
import { openSocialAuth, WANTED } from './social-provider.ts'

const { world, client: google, auth, open, signInThere, comeBack } = await openSocialAuth()

const newClient = () => clientOf(auth, 'pkce')

/** Follows a link of a mail, which must lead to the wanted page with a code and nothing else. */
async function codeFrom(email: string): Promise<string> {
  const link = await linkTo(auth, email)
  expect(link.searchParams.get('token')).toMatch(/^pkce_[0-9a-f]{56}$/)
  const { status, to, fragment } = await follow(auth, link)
  const page = new URL(to)
  expect([status, `${page.origin}${page.pathname}`, [...fragment]]).toEqual([303, WANTED, []])
  expect([...page.searchParams.keys()]).toEqual(['code'])
  return page.searchParams.get('code') ?? ''
}
const VERIFIER = 'v'.repeat(43)
const exchange = async (client: SupabaseClient, code: string) => {
  const { data, error } = await client.auth.exchangeCodeForSession(code)
  expect(error).toBeNull()
  return data
}
const raw = (auth_code: string, code_verifier: string) =>
  call(auth, 'POST', '/token?grant_type=pkce', { auth_code, code_verifier })

describe('by a mail', () => {
  test.each(['signUp', 'signInWithOtp', 'resetPasswordForEmail', 'resend'] as const)(
    '%s leads to a session of the client that asked',
    async (door) => {
      const email = `${door}@example.com`.toLowerCase()
      const client = newClient()
      if (door === 'resetPasswordForEmail') await enrol(auth, email)
      const options = { emailRedirectTo: WANTED }
      const asked = {
        signUp: () => client.auth.signUp({ email, password: PASSWORD, options }),
        signInWithOtp: () => client.auth.signInWithOtp({ email, options }),
        resetPasswordForEmail: () => client.auth.resetPasswordForEmail(email, { redirectTo: WANTED }),
        resend: async () => {
          await newClient().auth.signUp({ email, password: PASSWORD })
          return client.auth.resend({ type: 'signup', email, options })
        },
      }
      expect((await asked[door]()).error).toBeNull()
      const { session, redirectType } = (await exchange(client, await codeFrom(email))) as Awaited<
        ReturnType<typeof exchange>
      > & { redirectType?: string | null }
      expect(session?.user).toMatchObject({ email, email_confirmed_at: expect.any(String) })
      expect(decodeJwt(session?.access_token ?? '').amr).toMatchObject([{ method: 'otp' }])
      expect(redirectType === 'recovery').toBe(door === 'resetPasswordForEmail')
    },
  )

  test('a change of the address is agreed to in both boxes, and the second leads to the code', async () => {
    // By hand: auth-js itself forgets its verifier as soon as the wish is answered.
    const { email, accessToken } = await enrol(auth, 'old@example.com')
    const wish = { email: 'new@example.com', code_challenge: VERIFIER, code_challenge_method: 'plain' }
    await call(auth, 'PUT', `/user?redirect_to=${WANTED}`, wish, { bearer: accessToken })
    const half = await follow(auth, await linkTo(auth, email))
    expect(new URL(half.to).searchParams.get('message')).toMatch(/^Confirmation link accepted/)
    const { body } = await raw(await codeFrom('new@example.com'), VERIFIER)
    expect(body.user).toMatchObject({ email: 'new@example.com' })
  })

  test('a link that is used up says so in the query, where such a client looks', async () => {
    const client = newClient()
    await client.auth.signInWithOtp({ email: 'twice@example.com', options: { emailRedirectTo: WANTED } })
    await codeFrom('twice@example.com')
    const { to } = await follow(auth, await linkTo(auth, 'twice@example.com'))
    expect(new URL(to).searchParams.get('error_code')).toBe('otp_expired')
  })

  test('its token, handed in by a page of the server’s side, is a session at once', async () => {
    await newClient().auth.signInWithOtp({ email: 'ssr@example.com' })
    const token_hash = (await linkTo(auth, 'ssr@example.com')).searchParams.get('token') ?? ''
    const { data, error } = await newClient().auth.verifyOtp({ token_hash, type: 'email' })
    expect([error, data.session?.user.email]).toEqual([null, 'ssr@example.com'])
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
  const ask = async (email: string) => {
    const challenge = { code_challenge: VERIFIER, code_challenge_method: 'plain' }
    await call(auth, 'POST', `/otp?redirect_to=${WANTED}`, { email, ...challenge })
    return codeFrom(email)
  }

  test('is worth nothing to who does not know the verifier, and stays good for who does, once', async () => {
    const code = await ask('stolen@example.com')
    const wrong = [400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier']
    expect(refusal(await raw(code, 'w'.repeat(43)))).toEqual(wrong)
    expect((await raw(code, VERIFIER)).status).toBe(200)
    expect((await raw(code, VERIFIER)).body.error_code).toBe('flow_state_not_found')
  })

  test('is good for five minutes', async () => {
    const code = await ask('slow@example.com')
    await auth.db.query("update auth.flow_state set auth_code_issued_at = now() - interval '301 seconds'")
    const expired = [422, 'flow_state_expired', 'invalid flow state, flow state has expired']
    expect(refusal(await raw(code, VERIFIER))).toEqual(expired)
  })

  test('opens nothing for somebody banned meanwhile', async () => {
    const code = await ask('banned@example.com')
    await auth.db.query(
      "update auth.users set banned_until = now() + interval '1 day' where email = 'banned@example.com'",
    )
    expect((await raw(code, VERIFIER)).body.error_code).toBe('user_banned')
  })

  test('is not in the database, and an earlier one is cleared away in passing', async () => {
    const code = await ask('kept@example.com')
    const rows = await auth.db.query<{ row: string }>(
      'select to_jsonb(f)::text as row from auth.flow_state f',
    )
    expect(rows.map(({ row }) => row).join()).not.toContain(code)
    await auth.db.query("update auth.flow_state set created_at = created_at - interval '1 hour'")
    for (const email of ['one@example.com', 'two@example.com', 'three@example.com']) await ask(email)
    const left = await auth.db.query(
      "select 1 from auth.flow_state where created_at < now() - interval '5 minutes'",
    )
    expect(left).toEqual([])
  })
})

test('what a client without a challenge asks for comes as tokens, as before', async () => {
  const implicit = await openAuth({ providers: { google } }, { db: auth.db })
  await call(implicit, 'POST', '/otp', { email: 'implicit@example.com', code_challenge: null })
  const { fragment } = await follow(implicit, await linkTo(implicit, 'implicit@example.com'))
  expect(fragment.has('access_token')).toBe(true)
  expect(await accountsOf(auth, 'implicit@example.com')).toHaveLength(1)
})
