// An account taken over and taken back: over the real server, the mail and its link included.
import { expect, test } from 'vitest'
import { eventually } from '../../../server/test/eventually.ts'
import { addUser, newClient, PASSWORD, testServer } from '../../../server/test/harness.ts'

const server = await testServer()
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
  const { client, email, accessToken } = await addUser(server, 'olivia@potluck.example')
  const stolen = 'Thiefs-password-1!'
  const { error } = await client.auth.updateUser({ password: stolen, current_password: PASSWORD })
  expect(error).toBeNull()
  expect((await signIn(email, PASSWORD)).error).not.toBeNull()

  const mail = await mailTo(email, /^The password of your account was changed$/)
  const [, token] = new RegExp(`"${server.url}/undo-change#token=([0-9a-f]{64})"`).exec(mail.html) ?? []
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
  const hash = /token=([0-9a-f]{56})/.exec(reset.html)?.[1] ?? ''
  const back = await visitor.auth.verifyOtp({ token_hash: hash, type: 'recovery' })
  expect(back.error).toBeNull()
  expect((await visitor.auth.updateUser({ password: 'Mine-again-1!' })).error).toBeNull()
  expect((await signIn(email, 'Mine-again-1!')).error).toBeNull()
  // The first password after it was taken away is a change too.
  const { data } = await visitor.rpc('recent_account_changes').throwOnError()
  expect(data).toMatchObject([{ kind: 'password', undone_at: null }, { kind: 'password' }])
})
