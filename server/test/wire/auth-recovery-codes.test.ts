// The codes that stand in for a lost authenticator app.
import { expect, test } from 'vitest'
import { call, enrol, openAuth, refusal, signIn } from './auth-service.ts'
import { claimsOf, ON, protect, tokenOf } from './second-factors.ts'

const auth = await openAuth({ factors: ON })
const ask = (bearer: string, method: string, path = '', body?: object) =>
  call(auth, method, `/factors/recovery-codes${path}`, body, { bearer })

test('ten, each good once, and a new set ends the old one', async () => {
  const { client, factor, email } = await protect(auth, 'lost@example.com')
  const raised = await tokenOf(client)
  const { body } = await ask(raised, 'POST')
  const codes = body.codes as string[]
  expect(body).toMatchObject({ type: 'recovery_code', friendly_name: 'Recovery codes', total: 10 })
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[a-z2-7]{16}$/)
  expect(refusal(await ask(raised, 'POST'))[1]).toBe('mfa_verified_factor_exists')
  expect((await client.auth.mfa.unenroll({ factorId: factor.id })).error?.code).toBe(
    'mfa_recovery_codes_sole_factor',
  )
  expect(
    refusal(await call(auth, 'DELETE', `/factors/${body.id}`, undefined, { bearer: raised })).slice(0, 2),
  ).toEqual([422, 'validation_failed'])

  const bearer = (await signIn(auth, email)).accessToken
  const [first = '', second = ''] = codes
  const typed = `${first.slice(0, 4).toUpperCase()}-${first.slice(4, 9)} ${first.slice(9)}`
  const entered = await ask(bearer, 'POST', '/verify', { code: typed })
  expect(claimsOf(String(entered.body.access_token))).toMatchObject({
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
    id: body.id,
    type: 'recovery_code',
    total: 10,
    remaining: 9,
  })

  const now = String(entered.body.access_token)
  expect((await ask(now, 'POST', '/regenerate')).body).toMatchObject({ id: body.id, total: 10 })
  expect(refusal(await ask(again, 'POST', '/verify', { code: second }))[0]).toBe(422)
  expect((await ask(now, 'DELETE')).body).toEqual({ id: body.id })
  expect(refusal(await ask(now, 'GET'))[0]).toBe(404)
})

test('need another factor', async () => {
  const { accessToken } = await enrol(auth, 'none@example.com')
  expect(refusal(await ask(accessToken, 'POST'))[1]).toBe('mfa_recovery_codes_sole_factor')
  expect(refusal(await ask(accessToken, 'POST', '/verify', { code: 'x' }))[1]).toBe('mfa_verification_failed')
})
