// Mail written by the database: sent once its transaction commits, only once, and retried after the mail server was down.
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../eventually.ts'
import { openTestDatabase, serveTest, testServer } from '../harness.ts'
import { openMailbox } from '../mailbox.ts'

const mailbox = await openMailbox()
afterAll(() => void mailbox.server.close())
const server = await testServer({ OUTBOX: 'off', SMTP_URL: mailbox.url })
beforeEach(() => {
  mailbox.received.length = 0
  mailbox.putOff = 0
})

const WRITE = `select private.write_mail($1, null, $2, jsonb_build_object('heading', $2::text, 'sentences', '{Come in.}'::text[],
  'action', 'Open', 'path', '/door', 'small_print', 'For a week.', 'closing', 'Bye.'), 'opened', '{}')`
const write = (to: string, subject: string) => server.db.query(WRITE, [to, subject])
const stateOf = async (subject: string) => {
  const [row] = await server.db.query(
    `select attempts, sent_at is not null as sent, given_up_at is not null as over, html is null as emptied,
       round(extract(epoch from next_attempt_at - clock_timestamp()) / 60)::float8 as minutes, last_error
     from private.outgoing_mail where subject = $1`,
    [subject],
  )
  return row
}
const until = (subject: string, state: object) =>
  eventually(async () => expect(await stateOf(subject)).toMatchObject(state))
/** As if the next attempt were due. */
const comeDue = (subject: string) =>
  server.db.transaction(async (tx) => {
    await tx.query(
      'update private.outgoing_mail set next_attempt_at = clock_timestamp() where subject = $1',
      [subject],
    )
    await tx.query(`select pg_notify('outgoing_mail', '')`)
  })

describe('a mail the database writes', () => {
  test('goes out at once, with the address of the site in its links', async () => {
    await write('olivia@potluck.example', 'A place for you')
    await eventually(() => expect(mailbox.received).toHaveLength(1))
    expect(mailbox.received[0]).toContain('To: olivia@potluck.example')
    expect(mailbox.received[0]).toContain('Subject: A place for you')
    expect(mailbox.received[0]?.replaceAll('=\r\n', '')).toContain(`Open ${server.url}/door`)
    await until('A place for you', { sent: true, emptied: true })
  })

  test('is never sent when its transaction is taken back', async () => {
    const work = server.db.transaction(async (tx) => {
      await tx.query(WRITE, ['olivia@potluck.example', 'Taken back'])
      throw new Error('changed my mind')
    })
    await expect(work).rejects.toThrow('changed my mind')
    await write('olivia@potluck.example', 'After it')
    await eventually(() => expect(mailbox.received).toHaveLength(1))
    expect(mailbox.received[0]).toContain('Subject: After it')
    expect(await stateOf('Taken back')).toBeUndefined()
  })

  test('names where to end mail of its kind', async () => {
    await server.db.query(
      `select private.send_mail('olivia@potluck.example', 'News', 'x', '{}', '/enough/1')`,
    )
    await eventually(() => expect(mailbox.received).toHaveLength(1))
    expect(mailbox.received[0]).toContain(`List-Unsubscribe: <${server.url}/enough/1>`)
  })

  test('waits for the time it is to go out', async () => {
    await server.db.query(
      `select private.send_mail('olivia@potluck.example', 'Later', 'x', '{}', null, '10 minutes')`,
    )
    await write('olivia@potluck.example', 'Now')
    await until('Now', { sent: true })
    expect(await stateOf('Later')).toMatchObject({ attempts: 0, sent: false, minutes: 10 })
    await comeDue('Later')
    await until('Later', { sent: true })
    expect(mailbox.received).toHaveLength(2)
  })
})

describe('a mail the mail server does not take', () => {
  test('is tried again after one minute, then four, and arrives', async () => {
    mailbox.putOff = 2
    await write('olivia@potluck.example', 'Patience')
    await until('Patience', { attempts: 1, minutes: 1 })
    await comeDue('Patience')
    await until('Patience', { attempts: 2, minutes: 4, sent: false })
    expect((await stateOf('Patience'))?.last_error).toContain('451 later')
    expect(mailbox.received).toEqual([])
    await comeDue('Patience')
    await until('Patience', { attempts: 3, sent: true, last_error: null })
    expect(mailbox.received).toHaveLength(1)
    expect(server.logged.join('')).toContain('mail: not sent')
  })

  test('is given up at once when there is no such recipient', async () => {
    await write('refused@potluck.example', 'Nobody there')
    await until('Nobody there', { attempts: 1, over: true, emptied: true })
  })

  test('is given up after the eighth attempt', async () => {
    mailbox.putOff = 1
    await server.db.query(`insert into private.outgoing_mail (recipient, subject, html, attempts)
      values ('olivia@potluck.example', 'Eighth', 'x', 7)`)
    await until('Eighth', { attempts: 8, over: true, sent: false })
  })
})

test('two servers on one database send every mail once', async () => {
  const shared = { ...server.db, close: async () => undefined }
  const second = await serveTest(shared, server.databaseUrl, { OUTBOX: 'off', SMTP_URL: mailbox.url })
  await Promise.all(
    Array.from({ length: 30 }, (_, number) => write(`guest${number}@potluck.example`, `Number ${number}`)),
  )
  const sent = `select 1 from private.outgoing_mail where subject like 'Number %' and sent_at is not null`
  await eventually(async () => expect(await server.db.query(sent)).toHaveLength(30))
  await second.close()
  const recipients = mailbox.received.map((mail) => /^To: (.*)$/m.exec(mail)?.[1])
  expect(recipients).toHaveLength(30)
  expect(new Set(recipients).size).toBe(30)
})

test('a project that does not hand out its mail is left alone', async () => {
  const db = await openTestDatabase()
  await db.query('drop function private.settle_mail(uuid, integer, text, boolean)')
  const alone = await serveTest(db, db.url)
  await db.query(`select private.send_mail('olivia@potluck.example', 'Left alone', 'x')`)
  await db.transaction((tx) =>
    tx.script(`notify outgoing_mail; create table public.later (id int); notify pgrst, 'reload schema'`),
  )
  // Notifications arrive in order: if the table is known, so is the mail.
  const ask = () => fetch(`${alone.url}/rest/v1/later`, { headers: { apikey: alone.serviceKey } })
  await eventually(async () => expect((await ask()).status).not.toBe(404))
  expect(await alone.outbox()).toEqual([])
  expect(await db.query('select attempts from private.outgoing_mail')).toEqual([{ attempts: 0 }])
  expect(alone.logged.filter((line) => JSON.parse(line).level >= 40)).toEqual([])
  await alone.close()
})
