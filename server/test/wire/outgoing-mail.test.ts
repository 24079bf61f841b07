// Mail written by the database is sent once, after its transaction has committed, and retried if the mail server was
// down.
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { buildChanged } from '../../../scripts/build.mjs'
import { eventually } from '../eventually.ts'
import { openTestDatabase, serveTest, testServer } from '../harness.ts'
import { openMailbox } from '../mailbox.ts'

await buildChanged(['supabase'])
const mailbox = await openMailbox()
afterAll(() => void mailbox.server.close())
const server = await testServer({ OUTBOX: 'off', SMTP_URL: mailbox.url })
beforeEach(() => {
  mailbox.received.length = 0
  mailbox.putOff = 0
  mailbox.isDown = false
})

const SUBJECT = `coalesce(subject, params ->> 'answer')`
/** Writes a mail to a person. The subject of the mail contains the answer of staff. */
const WRITE = `select private.write_mail($1, null, 'support-answered', jsonb_build_object('answer', $2::text), '/door')`
const write = (to: string, subject: string) => server.db.query(WRITE, [to, subject])
const stateOf = async (subject: string) => {
  const [row] = await server.db.query(
    `select attempts, sent_at is not null as sent, given_up_at is not null as over, coalesce(html, path) is null as emptied,
       round(extract(epoch from next_attempt_at - clock_timestamp()) / 60)::float8 as minutes, last_error
     from private.outgoing_mail where ${SUBJECT} = $1`,
    [subject],
  )
  return row
}
const until = (subject: string, state: object) =>
  eventually(async () => expect(await stateOf(subject)).toMatchObject(state))
const comeDue = (subject: string) =>
  server.db.transaction(async (tx) => {
    await tx.query(
      `update private.outgoing_mail set next_attempt_at = clock_timestamp() where ${SUBJECT} = $1`,
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
    expect(mailbox.received[0]?.replaceAll('=\r\n', '')).toContain(`Open Potluck ${server.url}/door`)
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

describe('after an outage of the mail server', () => {
  const fail = async (...subjects: string[]) => {
    mailbox.isDown = true
    for (const subject of subjects) {
      await write('olivia@potluck.example', subject)
      await until(subject, { attempts: 1, sent: false, minutes: 1 })
    }
    // Puts the mails into the state that they have after some more attempts.
    const later = `update private.outgoing_mail set attempts = 6, next_attempt_at = clock_timestamp() + interval '6 hours'
      where ${SUBJECT} = any (string_to_array($1, ','))`
    await server.db.query(later, [subjects.join()])
  }

  test('the first mail that is sent hurries all others, but none that the server refused for itself', async () => {
    mailbox.putOff = 1
    await write('olivia@potluck.example', 'Full')
    await until('Full', { attempts: 1, minutes: 1 })
    await fail('One', 'Two')
    mailbox.isDown = false
    await write('olivia@potluck.example', 'New')
    for (const subject of ['New', 'One', 'Two']) await until(subject, { sent: true })
    expect(await stateOf('Full')).toMatchObject({ attempts: 1, sent: false })
  })

  test('is noticed within a minute by a mail that waits, however long, and that loses no attempt by it', async () => {
    await fail('Alone')
    const age = `update private.outgoing_mail set outage_at = outage_at - interval '1 minute' where ${SUBJECT} = 'Alone'`
    await server.db.query(age)
    const poll = () => server.db.query(`select pg_notify('outgoing_mail', '')`)
    await poll()
    await until('Alone', { attempts: 6, sent: false, minutes: 360 })
    await server.db.query(age)
    mailbox.isDown = false
    await poll()
    await until('Alone', { attempts: 6, sent: true })
  })

  test('no mail is given up within a day, and none is tried for longer', async () => {
    await fail('Long')
    const last = `update private.outgoing_mail set attempts = 7, created_at = clock_timestamp() - $1::interval where ${SUBJECT} = 'Long'`
    await server.db.query(last, ['23 hours'])
    await comeDue('Long')
    await until('Long', { attempts: 7, over: false, minutes: 360 })
    await server.db.query(last, ['25 hours'])
    await comeDue('Long')
    await until('Long', { over: true })
  })

  test('a link that would have expired on the way works when it arrives', async () => {
    mailbox.isDown = true
    const ask = (path: string, body: object) =>
      fetch(`${server.url}/auth/v1/${path}`, {
        method: 'POST',
        headers: { apikey: server.anonKey, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect(
      (await ask('signup', { email: 'late@potluck.example', password: 'Correct-horse-1!' })).status,
    ).toBe(200)
    const tokens = (sql: string) =>
      server.db.query(`${sql} from auth.one_time_tokens where email = 'late@potluck.example'`)
    await eventually(async () =>
      expect(
        await server.db.query(
          `select 1 from private.outgoing_mail where recipient = 'late@potluck.example' and last_error is not null`,
        ),
      ).toHaveLength(1),
    )
    await server.db.query(
      `update auth.one_time_tokens set created_at = now() - interval '2 hours' where email = 'late@potluck.example'`,
    )
    expect(await tokens('select 1')).toHaveLength(1)
    mailbox.isDown = false
    await write('olivia@potluck.example', 'Up again')
    const mail = await eventually(() => {
      const found = mailbox.received.find((one) => one.includes('To: late@'))
      if (!found) throw new Error('Not there yet')
      return found
    })
    const token = /token_hash=([0-9a-f]{56})/.exec(mail.replaceAll('=\r\n', '').replaceAll('=3D', '='))?.[1]
    const verified = await ask('verify', { token_hash: token, type: 'signup' })
    expect(verified.status).toBe(200)
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
    expect(server.logged.join('')).toContain('mail: sent')
  })

  test('is tried again when the function mail could not put it into words', async () => {
    await server.db.query(`insert into private.outgoing_mail (recipient, event, params, path)
      values ('olivia@potluck.example', 'never-named', '{"answer": "Wordless"}', '/door')`)
    await until('Wordless', { attempts: 1, sent: false, minutes: 1 })
    expect((await stateOf('Wordless'))?.last_error).toContain('The function mail answered 500')
  })

  test('is given up at once when there is no such recipient', async () => {
    await write('refused@potluck.example', 'Nobody there')
    await until('Nobody there', { attempts: 1, over: true, emptied: false })
  })

  test('is given up after the eighth attempt', async () => {
    mailbox.putOff = 1
    await server.db.query(`insert into private.outgoing_mail (recipient, subject, html, attempts)
      values ('olivia@potluck.example', 'Eighth', 'x', 7)`)
    await until('Eighth', { attempts: 8, over: true, sent: false })
    await eventually(async () =>
      expect(server.logged.filter((line) => /"level":40.*mail: given up/.test(line)).length).toBeGreaterThan(
        1,
      ),
    )
  })
})

test('two servers on one database send every mail once', async () => {
  const shared = { ...server.db, close: async () => undefined }
  const second = await serveTest(shared, server.databaseUrl, { OUTBOX: 'off', SMTP_URL: mailbox.url })
  await Promise.all(
    Array.from({ length: 30 }, (_, number) => write(`guest${number}@potluck.example`, `Number ${number}`)),
  )
  const sent = `select 1 from private.outgoing_mail where ${SUBJECT} like 'Number %' and sent_at is not null`
  await eventually(async () => expect(await server.db.query(sent)).toHaveLength(30))
  await second.close()
  const recipients = mailbox.received.map((mail) => /^To: (.*)$/m.exec(mail)?.[1])
  expect(recipients).toHaveLength(30)
  expect(new Set(recipients).size).toBe(30)
})

test('a project that does not hand out its mail is left alone', async () => {
  const db = await openTestDatabase()
  await db.query('drop function private.settle_mail(uuid, integer, text, boolean, boolean)')
  const alone = await serveTest(db, db.url)
  await db.query(`select private.send_mail('olivia@potluck.example', 'Left alone', 'x')`)
  await db.transaction((tx) =>
    tx.script(`notify outgoing_mail; create table public.later (id int); notify pgrst, 'reload schema'`),
  )
  // Notifications arrive in order, so once the new table is known, the mail's notification has arrived too.
  const ask = () => fetch(`${alone.url}/rest/v1/later`, { headers: { apikey: alone.serviceKey } })
  await eventually(async () => expect((await ask()).status).not.toBe(404))
  expect(await alone.outbox()).toEqual([])
  expect(await db.query('select attempts from private.outgoing_mail')).toEqual([{ attempts: 0 }])
  expect(alone.logged.filter((line) => JSON.parse(line).level >= 40)).toEqual([])
  await alone.close()
})
