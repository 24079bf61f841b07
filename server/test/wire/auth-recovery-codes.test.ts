// The codes that stand in for a lost authenticator app.
import { expect, test } from 'vitest'
import { call, enrol, openAuth, refusal, signIn } from './auth-service.ts'
import { claimsOf, ON, protect, signedIn, tokenOf } from './second-factors.ts'

const auth = await openAuth({ factors: ON })
const ask = (bearer: string, method: string, path = '', body?: object) =>
  call(auth, method, `/factors/recovery-codes${path}`, body, { bearer })

test('ten, each good once, and a new set ends the old one', async () => {
  const { client, factor, email } = await protect(auth, 'lost@example.com')
  const { mfa } = client.auth
  const { data } = await mfa.recoveryCodes.generate()
  const codes = data?.codes ?? []
  expect(data).toMatchObject({ type: 'recovery_code', friendly_name: 'Recovery codes', total: 10 })
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[a-z2-7]{16}$/)
  expect((await mfa.listFactors()).data).toMatchObject({
    totp: [{ id: factor.id }],
    recovery_code: [{ id: data?.id, status: 'verified' }],
  })
  expect((await mfa.recoveryCodes.generate()).error?.code).toBe('mfa_verified_factor_exists')
  expect((await mfa.unenroll({ factorId: factor.id })).error?.code).toBe('mfa_recovery_codes_sole_factor')
  expect((await mfa.unenroll({ factorId: data?.id ?? '' })).error).toMatchObject({
    status: 422,
    code: 'validation_failed',
  })

  const other = await signedIn(auth, email)
  const [first = '', second = ''] = codes
  const code = `${first.slice(0, 4).toUpperCase()}-${first.slice(4, 9)} ${first.slice(9)}`
  expect((await other.auth.mfa.recoveryCodes.verify({ code })).error).toBeNull()
  expect(claimsOf(await tokenOf(other))).toMatchObject({
    aal: 'aal2',
    amr: [{ method: 'mfa/recovery_code' }, { method: 'password' }],
  })
  const again = (await signIn(auth, email)).accessToken
  expect(refusal(await ask(again, 'POST', '/verify', { code: first }))).toEqual([
    422,
    'mfa_verification_failed',
    'Invalid recovery code entered',
  ])
  expect(refusal(await ask(again, 'POST', '/verify', { code: '' }))[0]).toBe(400)
  expect((await ask(again, 'GET')).body).toEqual({
    id: data?.id,
    type: 'recovery_code',
    total: 10,
    remaining: 9,
  })

  const { recoveryCodes } = other.auth.mfa
  expect((await recoveryCodes.regenerate()).data).toMatchObject({ id: data?.id, total: 10 })
  expect(refusal(await ask(again, 'POST', '/verify', { code: second }))[0]).toBe(422)
  expect((await recoveryCodes.getStatus()).data).toMatchObject({ remaining: 10 })
  expect((await recoveryCodes.unenroll()).data).toEqual({ id: data?.id })
  expect((await recoveryCodes.getStatus()).error?.status).toBe(404)
})

test('need another factor', async () => {
  const { accessToken } = await enrol(auth, 'none@example.com')
  expect(refusal(await ask(accessToken, 'POST'))[1]).toBe('mfa_recovery_codes_sole_factor')
  expect(refusal(await ask(accessToken, 'POST', '/verify', { code: 'x' }))[1]).toBe('mfa_verification_failed')
})
