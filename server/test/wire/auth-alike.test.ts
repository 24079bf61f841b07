// Whether an address has an account is told to nobody: every door answers alike, after the same work.
import { createServer } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { WITHOUT_LIMITS as unlimited } from '#auth/auth-settings.ts'
import type { Database } from '#db/database.ts'
import { hashPassword } from '#identity/passwords.ts'
import { freePort } from '../free-port.ts'
import { PASSWORD, testDatabase } from '../harness.ts'
import { accountsOf, call, enrol, follow, linkTo, mailsTo, openAuth, signIn } from './auth-service.ts'

/** The database, and what it is asked. */
function watch(db: Database): { db: Database; asked: string[] } {
  const asked: string[] = []
  const watched: Database = {
    ...db,
    query: (text, values) => {
      asked.push(text)
      return db.query(text, values)
    },
    transaction: (work, options) => {
      asked.push('begin')
      return db.transaction(
        (tx) =>
          work({
            query: (text, values) => {
              asked.push(text)
              return tx.query(text, values)
            },
            script: (sql) => {
              asked.push(sql)
              return tx.script(sql)
            },
          }),
        options,
      )
    },
  }
  return { db: watched, asked }
}

const port = await freePort()
const refusing = createServer((socket) => socket.end('554 no service today\r\n')).listen(port, '127.0.0.1')
afterAll(() => void refusing.close())

const { db, asked } = watch(await testDatabase())
const rateLimits = { ...unlimited, mailInterval: { count: 1, seconds: 60 } }
const auth = await openAuth({ rateLimits }, { db, smtpUrl: `smtp://127.0.0.1:${port}` })
const { accessToken } = await enrol(auth, 'olivia@example.com')

// Which of its times a mail notes, and whether what was tried is kept, is the same work.
const kindOf = (statement: string) =>
  statement
    .replace(/\w+_sent_at/, '…_sent_at')
    .replace(/^(release|rollback to) savepoint/, 'end of savepoint')

const MAILING = [
  ['/recover', {}],
  ['/signup', { password: PASSWORD }],
  ['/otp', {}],
  ['/otp', { create_user: false }],
  ['/magiclink', {}],
  ['/resend', { type: 'signup' }],
  ['/resend', { type: 'email_change' }],
] as const

/** All that an answer says, but for what is new each time. */
const saidBy = (body: object) =>
  JSON.stringify(body)
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, 'time')
    .replace(/(un)?known@example\.com/g, 'address')

async function ask(method: string, path: string, body: object) {
  asked.length = 0
  const answer = await call(auth, method, path, body, { bearer: accessToken })
  return { status: answer.status, said: saidBy(answer.body), statements: asked.map(kindOf) }
}

test.each([...MAILING.map((door) => ['POST', ...door] as const), ['PUT', '/user', {}] as const])(
  '%s %s with %j answers alike for a known and an unknown address, though no mail can be sent',
  async (method, path, more) => {
    await enrol(auth, 'known@example.com')
    const answers = []
    for (const email of ['known@example.com', 'unknown@example.com']) {
      await db.query('delete from platform.rate_limits')
      answers.push(await ask(method, path, { email, ...more }))
    }
    const [known, unknown] = answers
    expect(known?.status).toBe(200)
    expect(known).toEqual(unknown)
    expect(known?.statements.length).toBeGreaterThan(5)
    await db.query("delete from auth.users where email like '%known@example.com'")
  },
)

test.each(MAILING)(
  'POST %s with %j has both wait alike, whatever was asked for before',
  async (path, more) => {
    await enrol(auth, 'known@example.com')
    const statuses = []
    for (const email of ['known@example.com', 'unknown@example.com']) {
      await db.query('delete from platform.rate_limits')
      for (const before of ['/signup', '/otp', '/recover'])
        await call(auth, 'POST', before, { email, password: PASSWORD })
      for (let times = 0; times < 2; times++)
        statuses.push((await ask('POST', path, { email, ...more })).status)
    }
    expect(statuses.slice(0, 2)).toEqual(statuses.slice(2))
    expect(statuses).toContain(429)
    await db.query("delete from auth.users where email like '%known@example.com'")
  },
)

test('a sign-up takes as long for a taken address as for a free one', async () => {
  const { id } = await enrol(auth, 'taken@example.com')
  await db.query('update auth.users set encrypted_password = $2 where id = $1', [
    id,
    await hashPassword('Other-1!'),
  ])
  const timed = async (email: string) => {
    await db.query('delete from platform.rate_limits')
    const started = performance.now()
    await call(auth, 'POST', '/signup', { email, password: PASSWORD })
    return performance.now() - started
  }
  const taken: number[] = []
  const free: number[] = []
  for (let tries = 0; tries < 7; tries++) {
    taken.push(await timed('taken@example.com'))
    free.push(await timed(`free-${tries}@example.com`))
  }
  // Hashing is nearly all of it. The quickest of each is what the machine's other work disturbed least.
  const ratio = Math.min(...taken) / Math.min(...free)
  expect(ratio).toBeGreaterThan(0.7)
  expect(ratio).toBeLessThan(1.4)
})

test('what a sign-up tried for a taken address leaves nothing behind', async () => {
  const before = await db.query('select count(*) as n from auth.users')
  await enrol(auth, 'whole@example.com')
  await call(auth, 'POST', '/signup', { email: 'whole@example.com', password: PASSWORD })
  expect(await db.query('select count(*) - 1 as n from auth.users')).toEqual(before)
  expect(await db.query("select 1 from private.outgoing_mail where recipient = 'whole@example.com'")).toEqual(
    [],
  )
})

test('a mail the mail server does not take waits, the log says so without its link, and it arrives later', async () => {
  const email = 'unlucky@example.com'
  expect((await call(auth, 'POST', '/signup', { email, password: PASSWORD })).status).toBe(200)
  expect(await mailsTo(auth, email)).toEqual([])
  expect(auth.logged.join('')).toMatch(/mail: not sent/)
  expect(auth.logged.join('')).toContain('554')
  expect(auth.logged.join('')).not.toMatch(/token=|Correct-horse/)
  await db.query('update private.outgoing_mail set next_attempt_at = clock_timestamp()')
  const mended = await openAuth({ rateLimits }, { db })
  await follow(mended, await linkTo(mended, email))
  await expect(signIn(mended, email)).resolves.toBeDefined()
})

test('asked for again while no mail goes out, a mail with a dead link does not wait beside the new one', async () => {
  const { email } = await enrol(auth, 'impatient@example.com')
  for (let times = 0; times < 3; times++) {
    await db.query('delete from platform.rate_limits')
    await call(auth, 'POST', '/recover', { email })
    await auth.outbox()
  }
  expect(await db.query('select attempts from private.outgoing_mail where recipient = $1', [email])).toEqual([
    { attempts: 1 },
  ])
})

test('an address that is taken is not moved to, though nobody was told', async () => {
  const mended = await openAuth({ doubleConfirmChanges: false }, { db })
  const mover = await enrol(mended, 'mover@example.com')
  const owner = await enrol(mended, 'owner@example.com')
  await call(mended, 'PUT', '/user', { email: owner.email }, { bearer: mover.accessToken })
  const { fragment } = await follow(mended, await linkTo(mended, owner.email))
  expect(fragment.get('error_code')).toBe('email_exists')
  expect(await accountsOf(mended, owner.email)).toEqual([{ id: owner.id }])
})
