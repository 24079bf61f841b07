import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { accountsOf, call, clientOf, enrol, follow, getUser, linkTo, signIn, signUp } from './auth-service.ts'
import { openSocialAuth, PICTURE, PROVIDERS, WANTED } from './social-provider.ts'

const { world, auth, leave, signInThere, comeBack, goThrough } = await openSocialAuth()

/** Lets somebody be signed in at the provider, and takes them through; gives their account. */
async function arrive(provider: string, id: string, name: string, email: string) {
  world.person = { id, name, email }
  const { fragment } = await goThrough(provider)
  return (await getUser(auth, fragment.access_token ?? '')).body
}

describe.each([...PROVIDERS, 'twitter'])('signing in with %s', (provider) => {
  const kept = provider === 'twitter' ? 'x' : provider
  const address = (name: string) => `${name}.${provider}@example.com`

  test('makes an account for somebody new, with a name, a picture and a confirmed address', async () => {
    const email = address('new')
    world.person = { id: `new-${provider}`, name: 'Olivia', email: `New.${provider}@Example.com` }
    const arrived = await goThrough(provider)
    expect([arrived.status, arrived.page]).toEqual([302, WANTED])
    const provider_token = expect.stringMatching(/^(google|facebook|x)-/)
    expect(arrived.fragment).toMatchObject({
      token_type: 'bearer',
      expires_in: '3600',
      sb: '',
      provider_token,
    })
    expect(arrived.fragment.provider_refresh_token).toBe(provider === 'google' ? 'google-refresh' : undefined)
    expect(decodeJwt(arrived.fragment.access_token ?? '').amr).toMatchObject([{ method: 'oauth' }])
    const { body: user } = await getUser(auth, arrived.fragment.access_token ?? '')
    const names = { name: 'Olivia', full_name: 'Olivia', avatar_url: PICTURE, picture: PICTURE }
    expect(user).toMatchObject({
      email,
      email_confirmed_at: expect.any(String),
      app_metadata: { provider: kept, providers: [kept] },
      user_metadata: { ...names, email, email_verified: true, provider_id: `new-${provider}` },
    })
    const last_sign_in_at = expect.stringMatching(/Z$/)
    expect(user.identities).toMatchObject([{ provider: kept, id: `new-${provider}`, email, last_sign_in_at }])
    const { data, error } = await clientOf(auth).auth.setSession({
      access_token: arrived.fragment.access_token ?? '',
      refresh_token: arrived.fragment.refresh_token ?? '',
    })
    expect([error, data.user?.email]).toEqual([null, email])
  })

  test('leads somebody who came this way before to the same account, whatever their address is now', async () => {
    const first = await arrive(provider, `again-${provider}`, 'Zoe', address('again'))
    const second = await arrive(provider, `again-${provider}`, 'Zoe Z', address('moved'))
    const same = { id: first.id, email: address('again'), user_metadata: { name: 'Zoe Z' } }
    expect(second).toMatchObject(same)
    expect(await accountsOf(auth, address('moved'))).toEqual([])
  })

  test('joins the account that has this confirmed address, and its password stays', async () => {
    const { id, email } = await enrol(auth, address('linked'), { city: 'Bonn' })
    expect(await arrive(provider, `linked-${provider}`, 'Ben', email)).toMatchObject({
      id,
      app_metadata: { provider: 'email', providers: ['email', kept] },
      user_metadata: { city: 'Bonn', name: 'Ben' },
    })
    await expect(signIn(auth, email)).resolves.toMatchObject({ id })
  })

  test('takes over an account whose address was never proven, and shuts out whoever made it', async () => {
    const email = address('squatted')
    await signUp(auth, email, { data: { name: 'Squatter' } })
    const link = await linkTo(auth, email)
    expect(await arrive(provider, `squatted-${provider}`, 'Ana', email)).toMatchObject({
      email,
      app_metadata: { provider: kept, providers: [kept] },
      user_metadata: { name: 'Ana' },
    })
    await expect(signIn(auth, email)).rejects.toThrow('invalid_credentials')
    expect((await follow(auth, link)).fragment.get('error_code')).toBe('otp_expired')
  })

  test('cancelling there comes back with the reason, in fragment and query, and no account', async () => {
    world.person = null
    const { status, page, fragment, query } = await goThrough(provider)
    expect([status, page, query.get('error')]).toEqual([302, WANTED, 'access_denied'])
    const error_description = 'The user denied the request'
    expect(fragment).toEqual({ error: 'access_denied', error_description, sb: '' })
  })

  test('without an address nobody is signed in', async () => {
    const before = await auth.db.query('select count(*) from auth.users')
    world.person = { id: `silent-${provider}`, name: 'Silent' }
    const said = 'Error getting user email from external provider'
    expect((await goThrough(provider)).error).toEqual(['server_error', 'unexpected_failure', said])
    expect(await auth.db.query('select count(*) from auth.users')).toEqual(before)
  })

  test.each([
    ['token', 'Unable to exchange external code'],
    ['profile', 'Error getting user profile from external provider'],
  ] as const)(
    'a failing %s endpoint comes back as an error, and the log tells no secret',
    async (broken, said) => {
      world.person = { id: `unlucky-${provider}`, name: 'Unlucky', email: address('unlucky') }
      world.broken = broken
      const before = auth.logged.length
      expect((await goThrough(provider)).error).toEqual(['server_error', 'unexpected_failure', said])
      const lines = auth.logged.slice(before).join('\n')
      expect(lines).toContain(said)
      expect(lines).not.toMatch(/google-|facebook-[0-9a-f]|x-[0-9a-f]{16}|code=|shared with/)
      expect(await accountsOf(auth, address('unlucky'))).toEqual([])
    },
  )

  test('a state that was forged, used, taken from another flow or expired leads to the site, signed out', async () => {
    world.person = { id: `state-${provider}`, name: 'State', email: address('state') }
    const refused = async (callback: string) => {
      const { status, page, query, fragment } = await comeBack(callback)
      expect([status, page, fragment]).toEqual([303, 'http://auth.test/', {}])
      return [query.get('error'), query.get('error_code')]
    }
    const INVALID = ['invalid_request', 'bad_oauth_state']
    const good = await signInThere(await leave(provider))
    const change = (state: (right: string) => string) => {
      const url = new URL(good)
      url.searchParams.set('state', state(url.searchParams.get('state') ?? ''))
      return url.href
    }
    const forge = (right: string) => right.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))
    expect(await refused(change(forge))).toEqual(INVALID)
    expect(await refused(change((right) => right.replace(/^[^.]+/, crypto.randomUUID())))).toEqual(INVALID)
    expect(await refused(change((right) => `${right.slice(0, -1)}é`))).toEqual(INVALID)
    expect(await refused(change(() => ''))).toEqual(['invalid_request', 'bad_oauth_callback'])
    expect((await comeBack(good)).fragment.access_token).toBeTruthy()
    expect(await refused(good)).toEqual(INVALID)

    const late = await signInThere(await leave(provider))
    await auth.db.query("update auth.flow_state set created_at = created_at - interval '301 seconds'")
    expect(await refused(late)).toEqual(INVALID)
  })

  test('a code brought back under the state of another flow is worth nothing', async () => {
    world.person = { id: `mixed-${provider}`, name: 'Mixed', email: address('mixed') }
    const back = async () => new URL(await signInThere(await leave(provider)))
    const [mine, theirs, third] = [await back(), await back(), await back()]
    mine.searchParams.set('code', theirs.searchParams.get('code') ?? '')
    const said = 'Unable to exchange external code'
    expect((await comeBack(mine.href)).error).toEqual(['server_error', 'unexpected_failure', said])
    third.searchParams.delete('code')
    expect((await comeBack(third.href)).error[1]).toBe('bad_oauth_callback')
  })

  test.each(['https://evil.example/', '//evil.example', 'javascript:alert(1)'])(
    'a wish to end at %s ends at the site',
    async (redirect_to) => {
      world.person = { id: `foreign-${provider}`, name: 'F', email: address('foreign') }
      const { page, fragment } = await goThrough(provider, { redirect_to })
      expect(page).toBe('http://auth.test/')
      expect(fragment.access_token).toBeTruthy()
    },
  )

  test('somebody banned stays outside', async () => {
    const { id, email } = await enrol(auth, address('banned'))
    await call(auth, 'PUT', `/admin/users/${id}`, { ban_duration: '24h' }, { key: auth.serviceKey })
    world.person = { id: `banned-${provider}`, name: 'B', email }
    expect((await goThrough(provider)).error).toEqual(['access_denied', 'user_banned', 'User is banned'])
  })
})
