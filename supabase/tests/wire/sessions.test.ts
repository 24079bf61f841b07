// A person's sessions, signing out of them, and an account taken over and recovered: over the real server.
// Proves SAFE 06 07
import { describe, expect, test } from 'vitest'
import { eventually } from '../../../server/test/eventually.ts'
import { addUser, newClient, PASSWORD, testServer } from '../../../server/test/harness.ts'

const server = await testServer()

async function signInFrom(email: string, userAgent: string) {
  const client = newClient(server)
  const answer = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: server.anonKey, 'Content-Type': 'application/json', 'User-Agent': userAgent },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  await client.auth.setSession((await answer.json()) as { access_token: string; refresh_token: string })
  return client
}

describe('sessions', () => {
  test('are listed with device, place, time of last use and how they were opened, the one used last first', async () => {
    const { client, email } = await addUser(server, 'olivia@potluck.example')
    const phone = await signInFrom(email, 'Phone/1.0')
    await client.auth.refreshSession()
    const { data } = await phone.rpc('my_sessions').throwOnError()
    expect(data).toMatchObject([
      { user_agent: null, ip: '127.0.0.1', proof: ['password'], is_current: false },
      { user_agent: 'Phone/1.0', ip: '127.0.0.1', proof: ['password'], is_current: true },
    ])
    const [first, second] = data as { created_at: string; last_used_at: string }[]
    expect(Date.parse(first?.last_used_at ?? '')).toBeGreaterThan(Date.parse(first?.created_at ?? ''))
    expect(second?.last_used_at).toBe(second?.created_at)
    await server.db.query(`update auth.sessions set not_after = now() where user_agent = 'Phone/1.0'`)
    expect((await client.rpc('my_sessions').throwOnError()).data).toHaveLength(1)
  })

  test('end one by one or all others at once, with their tokens, and nobody ends those of somebody else', async () => {
    const { client, email } = await addUser(server, 'marc@potluck.example')
    const { client: stranger } = await addUser(server, 'zoe@potluck.example')
    const first = await signInFrom(email, 'Device/1')
    for (const n of [2, 3]) await signInFrom(email, `Device/${n}`)
    const list = async () =>
      ((await client.rpc('my_sessions').throwOnError()).data as {
        id: string
        user_agent: string | null
      }[]) ?? []
    const ended = (await list()).find(({ user_agent }) => user_agent === 'Device/1')?.id
    const end = (who: typeof client) => who.rpc('end_session', { p_session_id: ended })
    const notFound = { code: 'PT404', message: 'Session not found' }
    expect(await end(stranger)).toMatchObject({ status: 404, error: notFound })
    expect((await end(client)).error).toBeNull()
    expect((await end(client)).error).toMatchObject(notFound)
    expect((await first.rpc('my_sessions')).error).toMatchObject({ code: 'PT401' })
    expect((await first.auth.refreshSession()).error).not.toBeNull()
    expect((await list()).map(({ user_agent }) => user_agent)).toEqual(['Device/3', 'Device/2', null])
    await client.auth.signOut({ scope: 'others' })
    expect((await list()).map(({ user_agent }) => user_agent)).toEqual([null])
  })
})

const visitor = newClient(server)
const signIn = (email: string, password: string) =>
  newClient(server).auth.signInWithPassword({ email, password })
const mailTo = (email: string, subject: RegExp) =>
  eventually(async () => {
    const mail = (await server.outbox()).find((one) => one.to === email && subject.test(one.subject))
    if (!mail) throw new Error('Nothing came yet')
    return mail
  })

test('whoever took an account over is shut out by the link in the mail, and its person chooses a new password', async () => {
  const { client, email, accessToken } = await addUser(server, 'paula@potluck.example')
  const stolen = 'Thiefs-password-1!'
  const { error } = await client.auth.updateUser({ password: stolen, current_password: PASSWORD })
  expect(error).toBeNull()
  expect((await signIn(email, PASSWORD)).error).not.toBeNull()

  const mail = await mailTo(email, /^The password of your account was changed$/)
  const [, token] =
    new RegExp(`"${server.url}/undo-change#change=password&amp;token=([0-9a-f]{64})"`).exec(mail.html) ?? []
  const undone = await visitor.rpc('undo_account_change', { p_token: token })
  expect(undone).toMatchObject({ error: null, data: { kind: 'password', email } })
  const again = await visitor.rpc('undo_account_change', { p_token: token })
  expect(again).toMatchObject({ status: 409, error: { code: 'PT409' } })

  const thief = newClient(server, accessToken)
  expect((await thief.rpc('my_sessions')).error).not.toBeNull()
  expect((await client.auth.refreshSession()).error).not.toBeNull()
  for (const password of [stolen, PASSWORD])
    expect((await signIn(email, password)).error).toMatchObject({ code: 'invalid_credentials' })

  await visitor.auth.resetPasswordForEmail(email)
  const reset = await mailTo(email, /^Choose a new password/)
  const hash = /token_hash=([0-9a-f]{56})/.exec(reset.html)?.[1] ?? ''
  const back = await visitor.auth.verifyOtp({ token_hash: hash, type: 'recovery' })
  expect(back.error).toBeNull()
  expect((await visitor.auth.updateUser({ password: 'Mine-again-1!' })).error).toBeNull()
  expect((await signIn(email, 'Mine-again-1!')).error).toBeNull()
  // Setting the first password after the password was removed is a change too.
  const { data } = await visitor.rpc('recent_account_changes').throwOnError()
  expect(data).toMatchObject([{ kind: 'password', undone_at: null }, { kind: 'password' }])
})
