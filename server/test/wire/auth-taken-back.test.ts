// A project takes an account back from a thief in one transaction. Whatever the thief was doing at that moment, and waits
// for it to end, must come to nothing.
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { addUser, PASSWORD, type TestUser, testServer } from '../harness.ts'

const server = await testServer()

const call = async (method: string, path: string, token: string, body?: object) => {
  const answer = await fetch(`${server.url}/auth/v1${path}`, {
    method,
    headers: { apikey: server.anonKey, Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    redirect: 'manual',
    ...(body && { body: JSON.stringify(body) }),
  })
  return answer.status
}
const newAddress = ({ id }: TestUser) => `${id}@thief.example`

const ATTEMPTS: [string, (thief: TestUser, links: string[]) => Promise<number>][] = [
  [
    'a sign-in with the password',
    ({ email }) => call('POST', '/token?grant_type=password', server.anonKey, { email, password: PASSWORD }),
  ],
  [
    'another password',
    ({ accessToken }) =>
      call('PUT', '/user', accessToken, { password: 'Thiefs-password-1!', current_password: PASSWORD }),
  ],
  ['another address', (_thief, [link = '']) => call('GET', link, server.anonKey)],
]

test.each(ATTEMPTS)('%s', async (_what, attempt) => {
  const thief = await addUser(server, `olivia.${ATTEMPTS.findIndex(([what]) => what === _what)}@example.com`)
  await thief.client.auth.updateUser({ email: newAddress(thief) })
  const links: string[] = []
  await expect
    .poll(async () => {
      const mails = (await server.outbox()).filter(({ to }) => [thief.email, newAddress(thief)].includes(to))
      links.splice(
        0,
        links.length,
        ...mails.map(({ text }) => /\/auth\/v1(\/verify\S+)/.exec(text)?.[1] ?? ''),
      )
      return links.length
    })
    .toBe(2)
  // One of the two boxes has agreed already.
  await call('GET', links.pop() ?? '', server.anonKey)

  const pending = await server.db.transaction(async (tx) => {
    await tx.query('select from auth.users where id = $1 for no key update', [thief.id])
    const answer = attempt(thief, links)
    if (server.db.kind === 'postgres') {
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      while ((await tx.query(waiting)).length === 0) await pause(10)
    }
    await tx.query('delete from auth.sessions where user_id = $1', [thief.id])
    await tx.query(`update auth.users set encrypted_password = null, email_change = '' where id = $1`, [
      thief.id,
    ])
    return [answer]
  })
  await Promise.all(pending)
  const found = await server.db.query(
    `select email, encrypted_password, (select count(*) from auth.sessions where user_id = u.id) as sessions
     from auth.users as u where id = $1`,
    [thief.id],
  )
  expect(found).toEqual([{ email: thief.email, encrypted_password: null, sessions: 0 }])
})
