import { expect, test } from 'vitest'
import { addUser, newClient, testServer } from '../harness.ts'

// What somebody with the public key, or an ordinary account, may try at other people's cost.
const server = await testServer()

const FIRST = 'Attacker-pass-1!'
const SECOND = 'Olivias-pass-1!'

const newestLink = async (email: string) => {
  const mail = (await server.outbox()).find(({ to }) => to === email)
  return /https?:\/\/\S+\/auth\/v1\/verify\S+/.exec(mail?.text ?? '')?.[0] ?? ''
}
const signIn = async (email: string, password: string) =>
  (await newClient(server).auth.signInWithPassword({ email, password })).error?.code

test('a password set before the address was proven does not survive its owner following the link', async () => {
  const email = 'olivia.first@potluck.example'
  await newClient(server).auth.signUp({ email, password: FIRST })
  await newClient(server).auth.signUp({ email, password: SECOND })
  await fetch(await newestLink(email), { redirect: 'manual' })
  expect(await signIn(email, FIRST)).toBe('invalid_credentials')
})

test('asking for the mail again does not bring such a password back', async () => {
  const email = 'olivia.again@potluck.example'
  await newClient(server).auth.signUp({ email, password: FIRST })
  await newClient(server).auth.signInWithOtp({ email })
  await newClient(server).auth.resend({ type: 'signup', email })
  await fetch(await newestLink(email), { redirect: 'manual' })
  expect(await signIn(email, FIRST)).toBe('invalid_credentials')
})

test('one sign-up and its own link keep the password', async () => {
  const olivia = await addUser(server, 'olivia@potluck.example', { password: SECOND })
  expect(await signIn(olivia.email, SECOND)).toBeUndefined()
})

test('one column cannot be asked for hundreds of times', async () => {
  const select = (times: number) => Array.from({ length: times }, (_, i) => `c${i}:is_current`).join(',')
  const ask = (times: number) =>
    fetch(`${server.url}/rest/v1/service_provider_data?select=${select(times)}`, {
      headers: { apikey: server.anonKey },
    })
  expect((await ask(100)).status).toBe(200)
  const refused = await ask(101)
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ code: 'PGRST100' })
})

test('metadata, which every token carries, stays small', async () => {
  const { client } = await addUser(server, 'marc@potluck.example')
  expect((await client.auth.updateUser({ data: { note: 'x'.repeat(10_000) } })).error).toBeNull()
  expect((await client.auth.updateUser({ data: { more: 'x'.repeat(10_000) } })).error?.code).toBe(
    'validation_failed',
  )
  expect((await client.auth.updateUser({ data: { huge: 'x'.repeat(20_000) } })).error).not.toBeNull()
})

test('a line break in a return address is refused before anything is mailed with it', async () => {
  const email = 'zoe@potluck.example'
  const address = encodeURIComponent(`${server.url}/a\r\nX`)
  await fetch(`${server.url}/auth/v1/signup?redirect_to=${address}`, {
    method: 'POST',
    headers: { apikey: server.anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: SECOND }),
  })
  const answer = await fetch(await newestLink(email), { redirect: 'manual' })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toMatch(new RegExp(`^${server.url}/?#access_token=`))
})

test('neither a password nor a token nor a code reaches the log, and no answer sets a cookie', async () => {
  const email = 'quiet@potluck.example'
  const secrets = [SECOND]
  const post = async (path: string, body: object, bearer = server.anonKey) => {
    const answer = await fetch(`${server.url}/auth/v1${path}`, {
      method: 'POST',
      headers: { apikey: server.anonKey, authorization: `Bearer ${bearer}` },
      body: JSON.stringify(body),
    })
    expect(answer.headers.has('set-cookie')).toBe(false)
    return (await answer.json()) as Record<string, string>
  }
  await post('/signup', { email, password: SECOND })
  const link = new URL(await newestLink(email))
  secrets.push(link.searchParams.get('token') ?? '')
  const followed = await fetch(link, { redirect: 'manual' })
  expect(followed.headers.has('set-cookie')).toBe(false)
  await fetch(link, { redirect: 'manual' })
  const { access_token = '', refresh_token = '' } = await post('/token?grant_type=password', {
    email,
    password: SECOND,
  })
  await post('/token?grant_type=refresh_token', { refresh_token })
  await post('/token?grant_type=refresh_token', { refresh_token: refresh_token.replace(/.$/, '_') })
  secrets.push(access_token, refresh_token, access_token.split('.')[2] ?? '')
  expect(secrets.every((secret) => secret.length > 8)).toBe(true)
  for (const secret of secrets) expect(server.logged.join('\n')).not.toContain(secret)
})

test('the same person is who signs in with capital letters, and a plus sign makes another', async () => {
  const olivia = await addUser(server, 'olga+one@potluck.example', { password: SECOND })
  const entered = await newClient(server).auth.signInWithPassword({
    email: 'OLGA+One@Potluck.EXAMPLE',
    password: SECOND,
  })
  expect(entered.data.user?.id).toBe(olivia.id)
  expect(await signIn('olga@potluck.example', SECOND)).toBe('invalid_credentials')
  expect(await signIn('olga+two@potluck.example', SECOND)).toBe('invalid_credentials')
})

test('a magic link signs in once, however often it is followed', async () => {
  const email = 'replay@potluck.example'
  await addUser(server, email, { password: SECOND })
  await newClient(server).auth.signInWithOtp({ email })
  const link = await newestLink(email)
  const arrivals = []
  for (let clicks = 0; clicks < 3; clicks++)
    arrivals.push((await fetch(link, { redirect: 'manual' })).headers.get('location') ?? '')
  expect(arrivals.map((to) => to.includes('access_token='))).toEqual([true, false, false])
  expect(arrivals.slice(1).every((to) => to.includes('error_code=otp_expired'))).toBe(true)
})
