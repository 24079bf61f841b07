// No response reveals whether an address has an account: for known and unknown addresses, every endpoint gives the same
// response after the same work.
// Proves AUTH 33
import { createServer } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { WITHOUT_LIMITS as unlimited } from '#auth/auth-settings.ts'
import type { Database } from '#db/database.ts'
import { hashPassword } from '#identity/passwords.ts'
import { freePort } from '../free-port.ts'
import { PASSWORD, testDatabase } from '../harness.ts'
import { openAuth } from './auth-service.ts'

/** Returns the database, and a list of the statements sent to it. */
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
const { accessToken } = await auth.enrol('olivia@example.com')

// Returns the kind of a statement. Two statements are of one kind if they differ only in a mail's timestamp, or in
// whether the attempt is kept.
const kindOf = (statement: string) =>
  statement
    .replace(/\w+_sent_at/, '…_sent_at')
    .replace(/^(release|rollback to) savepoint/, 'end of savepoint')

// Each endpoint, with the number of mails that it sends to a known address and to an unknown one.
const DOORS = [
  ['POST', '/recover', {}, 1, 0],
  ['POST', '/signup', { password: 'Another-2?' }, 0, 1],
  ['POST', '/otp', {}, 1, 1],
  ['POST', '/otp', { create_user: false }, 1, 0],
  ['POST', '/resend', { type: 'signup' }, 0, 0],
  ['POST', '/resend', { type: 'email_change' }, 0, 0],
  ['PUT', '/user', {}, 1, 1],
] as const

/** Returns a response's content without the values that are new in each response. */
const saidBy = (body: object) =>
  JSON.stringify(body)
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, 'time')
    .replace(/(un)?known@example\.com/g, 'address')

async function ask(method: string, path: string, body: object) {
  asked.length = 0
  const answer = await auth.call(method, path, body, { bearer: accessToken })
  return { status: answer.status, said: saidBy(answer.body), statements: asked.map(kindOf) }
}

test.each(DOORS)(
  '%s %s with %j answers alike for a known and an unknown address, though no mail can be sent',
  async (method, path, more, ...expected) => {
    await db.query("delete from auth.users where email like '%known@example.com'")
    await db.query('delete from private.outgoing_mail')
    await auth.enrol('known@example.com')
    const [answers, statuses, mails]: [Awaited<ReturnType<typeof ask>>[], number[][], unknown[]] = [
      [],
      [],
      [],
    ]
    for (const email of ['known@example.com', 'unknown@example.com']) {
      const askAfresh = async (...before: string[]) => {
        await db.query('delete from platform.rate_limits')
        for (const door of before) await auth.post(door, { email, password: PASSWORD })
        return ask(method, path, { email, ...more })
      }
      answers.push(await askAfresh())
      const waiting = 'select count(*)::int as n from private.outgoing_mail where recipient = $1'
      mails.push((await db.query(waiting, [email]))[0]?.n)
      // A known and an unknown address must have to wait equally long, whatever was requested before.
      const after = [
        await askAfresh('/signup', '/otp', '/recover'),
        await ask(method, path, { email, ...more }),
      ]
      statuses.push(after.map(({ status }) => status))
    }
    expect(answers[0]?.status).toBe(200)
    expect(answers[0]?.statements.length).toBeGreaterThan(5)
    expect(answers[0]).toEqual(answers[1])
    expect(mails).toEqual(expected)
    expect(statuses[0]).toEqual(statuses[1])
    expect(statuses[0]).toContain(429)
    await expect(auth.signIn('known@example.com')).resolves.toBeDefined()
  },
)

test('a sign-up takes as long for a taken address as for a free one', async () => {
  const { email } = await auth.enrol('taken@example.com')
  // Stores a hash that costs as much as those of real passwords.
  await auth.setUser(email, `encrypted_password = '${await hashPassword('Other-1!')}'`)
  const timed = async (email: string) => {
    await db.query('delete from platform.rate_limits')
    const started = performance.now()
    await auth.post('/signup', { email, password: PASSWORD })
    return performance.now() - started
  }
  // Hashing takes nearly all of the time. The fastest of several tries was least disturbed by other work, so a busy
  // machine needs more tries; but no number of tries makes up for a missing hash.
  const quickest = { taken: Infinity, free: Infinity }
  const ratio = () => quickest.taken / quickest.free
  for (let tries = 0; tries < 5 || (tries < 40 && Math.abs(Math.log(ratio())) > 0.3); tries++) {
    quickest.taken = Math.min(quickest.taken, await timed('taken@example.com'))
    quickest.free = Math.min(quickest.free, await timed(`free-${tries}@example.com`))
  }
  expect(ratio()).toBeGreaterThan(0.7)
  expect(ratio()).toBeLessThan(1.4)
})

test('of mail that cannot go out only the newest waits, and the log says so without its link', async () => {
  const { email } = await auth.enrol('impatient@example.com')
  for (let times = 0; times < 3; times++) {
    await db.query('delete from platform.rate_limits')
    await auth.post('/recover', { email })
    await auth.outbox()
  }
  const waiting = await db.query('select attempts from private.outgoing_mail where recipient = $1', [email])
  expect(waiting).toEqual([{ attempts: 1 }])
  const log = auth.logged.join('')
  expect(log).toMatch(/mail: not sent.*554|554.*mail: not sent/s)
  expect(log).not.toMatch(/token=|Correct-horse/)
})
