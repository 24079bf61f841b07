import { expect, test } from 'vitest'
import { call, codeTo, enrol, follow, getUser, linkTo, mailsTo, openAuth, signIn } from './auth-service.ts'

// Its built-in templates print the code, which the project's own leave out.
const auth = await openAuth()

const CONFIRMED = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'
const move = async (from: string, email: string, target = auth) => {
  const person = await enrol(target, from)
  return { ...person, asked: await call(target, 'PUT', '/user', { email }, { bearer: person.accessToken }) }
}

test('both boxes are mailed, and only when both have agreed does it change', async () => {
  const { accessToken, id, asked } = await move('before@example.com', 'After@example.com')
  expect(asked.body).toMatchObject({ email: 'before@example.com', new_email: 'after@example.com' })
  const oldLink = await linkTo(auth, 'before@example.com')
  const newLink = await linkTo(auth, 'after@example.com')
  for (const link of [oldLink, newLink]) expect(link.searchParams.get('type')).toBe('email_change')

  const half = await follow(auth, newLink)
  expect(Object.fromEntries(half.fragment)).toEqual({ message: CONFIRMED, sb: '' })
  expect((await getUser(auth, accessToken)).body.email).toBe('before@example.com')
  expect((await follow(auth, newLink)).fragment.get('error_code')).toBe('otp_expired')

  const done = await follow(auth, oldLink)
  const { body } = await getUser(auth, done.fragment.get('access_token') ?? '')
  const email = 'after@example.com'
  expect(body).toMatchObject({ id, email, user_metadata: { email } })
  expect(body).not.toHaveProperty('new_email')
  expect(body.identities).toMatchObject([{ email, identity_data: { email_verified: true } }])
  await expect(signIn(auth, email)).resolves.toMatchObject({ id })
  await expect(signIn(auth, 'before@example.com')).rejects.toThrow('invalid_credentials')
})

test('works by code, and says when the other half is missing', async () => {
  await move('one@example.com', 'two@example.com')
  const verify = async (email: string) =>
    call(auth, 'POST', '/verify', { type: 'email_change', email, token: await codeTo(auth, email) })
  expect((await verify('one@example.com')).body).toEqual({ msg: CONFIRMED, code: '200' })
  expect((await verify('two@example.com')).body.user).toMatchObject({ email: 'two@example.com' })
})

test('can be mailed again while it waits', async () => {
  await move('slow@example.com', 'fast@example.com')
  const stale = await linkTo(auth, 'fast@example.com')
  await call(auth, 'POST', '/resend', { type: 'email_change', email: 'slow@example.com' })
  expect(await mailsTo(auth, 'fast@example.com')).toHaveLength(2)
  expect((await follow(auth, stale)).fragment.get('error_code')).toBe('otp_expired')
})

test('is refused when somebody took the address meanwhile', async () => {
  const { accessToken } = await move('first@example.com', 'wanted@example.com')
  const link = await linkTo(auth, 'wanted@example.com')
  await enrol(auth, 'wanted@example.com')
  await follow(auth, await linkTo(auth, 'first@example.com'))
  expect((await follow(auth, link)).fragment.get('error_code')).toBe('email_exists')
  expect((await getUser(auth, accessToken)).body.email).toBe('first@example.com')
})

test('with one-sided changes only the new box is asked; without confirmations, none', async () => {
  const oneSided = await openAuth({ doubleConfirmChanges: false }, { db: auth.db })
  await move('left@example.com', 'right@example.com', oneSided)
  expect(await mailsTo(oneSided, 'left@example.com')).toEqual([])
  const { fragment } = await follow(oneSided, await linkTo(oneSided, 'right@example.com'))
  expect(fragment.has('access_token')).toBe(true)
  const trusting = await openAuth({ confirmations: false }, { db: auth.db })
  const { asked } = await move('crooked@example.com', 'straight@example.com', trusting)
  expect(asked.body.email).toBe('straight@example.com')
})
