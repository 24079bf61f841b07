import { afterAll, beforeAll, expect, test } from 'vitest'
import { newClient, signUpUser, startTestServer, type TestServer } from '../harness.ts'

// What somebody with the public key, or an ordinary account, may try at other people's cost.
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

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
  const olivia = await signUpUser(server, 'olivia@potluck.example', { password: SECOND })
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
  const { client } = await signUpUser(server, 'marc@potluck.example')
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
