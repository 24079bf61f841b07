// The queue of outgoing mail, as SQL sees it; how the server drains it is in server/test/wire/outgoing-mail.test.ts.

import { asCaller } from '@potluck/server/db/as-caller.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { addPerson, DENIED, ownDatabase, refusalOf } from './people.ts'

const { db, sql, VISITOR } = await ownDatabase()
beforeEach(async () => {
  await sql`delete from private.outgoing_mail`
})

const write = (subject: string) => sql`select private.send_mail('olivia@potluck.example', ${subject}, 'x')`
const take = (limit = 10) =>
  sql<{ id: string; attempt: number; subject: string }>`select * from private.take_due_mails(${limit})`
const settle = (id: string, attempt: number, error: string | null) =>
  sql`select private.settle_mail(${id}, ${attempt}, ${error}, false)`
const passLease = () => sql`update private.outgoing_mail set next_attempt_at = clock_timestamp()`

describe('taking what is due', () => {
  test('hands each mail to one taker, oldest first, and never more than asked for', async () => {
    for (const subject of ['first', 'second', 'third']) await write(subject)
    expect((await take(2)).map(({ subject }) => subject).sort()).toEqual(['first', 'second'])
    expect((await take(2)).map(({ subject }) => subject)).toEqual(['third'])
    expect(await take()).toEqual([])
  })

  test('hands it out again when the taker was never heard of, and the late one no longer counts', async () => {
    await write('lost')
    const [first] = await take()
    await passLease()
    const [second] = await take()
    expect([first?.attempt, second?.attempt]).toEqual([1, 2])
    await settle(first?.id ?? '', 1, 'too late')
    expect(await sql`select last_error from private.outgoing_mail`).toEqual([{ last_error: null }])
    await settle(first?.id ?? '', 1, null)
    await passLease()
    expect(await take()).toEqual([])
  })

  test('gives up on a mail that no taker survives', async () => {
    await write('poison')
    await sql`update private.outgoing_mail set attempts = 8`
    expect(await take()).toEqual([])
    expect(await sql`select given_up_at is not null as over, html from private.outgoing_mail`).toEqual([
      { over: true, html: null },
    ])
  })

  test('waits at most six hours between two attempts', async () => {
    await write('slow')
    await sql`update private.outgoing_mail set attempts = 6`
    const [mail] = await take()
    await settle(mail?.id ?? '', 7, 'away')
    expect(
      await sql`select round(extract(epoch from next_attempt_at - clock_timestamp()) / 60)::float8 as minutes from private.outgoing_mail`,
    ).toEqual([{ minutes: 360 }])
  })
})

test('a mail is called back by what it speaks of, unless it has gone out', async () => {
  const about = '2b7355a3-0000-4000-8000-000000000001'
  for (const subject of ['gone out', 'waiting'])
    await sql`select private.send_mail('olivia@potluck.example', ${subject}, 'x', array['sub-1', ${about}])`
  await sql`update private.outgoing_mail set sent_at = now() where subject = 'gone out'`
  await sql`select private.call_back_mail(${about})`
  expect(await sql`select subject from private.outgoing_mail`).toEqual([{ subject: 'gone out' }])
})

test('what people call themselves is text in a mail: no mark-up, no variable, no second header', async () => {
  const name = `<img src=x onerror=alert(1)> "O'Neil" & {{ .SiteURL }}`
  const [page] = await sql<{
    html: string
  }>`select private.mail_page(${name}, array[${name}], ${name}, ${name}, ${name}, ${name}, ${name}) as html`
  expect(page?.html).not.toContain('<img')
  expect(page?.html).toContain(
    '&lt;img src=x onerror=alert(1)&gt; &quot;O&#39;Neil&quot; &amp; &#123;&#123; .SiteURL }}',
  )
  // The two links, the address spelled out, and the way to unsubscribe.
  expect(page?.html.match(/\{\{ \.SiteURL \}\}/g)).toHaveLength(4)
  await write('Hello\r\nBcc: all@example.com')
  expect(await sql`select subject from private.outgoing_mail`).toEqual([
    { subject: 'Hello Bcc: all@example.com' },
  ])
})

test('the queue is for the service role alone', async () => {
  const zoe = await addPerson(db, 'Zoe')
  for (const statement of [
    'select * from private.outgoing_mail',
    'select * from private.take_due_mails(1)',
    `select private.settle_mail(gen_random_uuid(), 1, null, true)`,
    `select private.send_mail('zoe@potluck.example', 'x', 'x')`,
    'select private.call_back_mail(null)',
  ])
    for (const who of [zoe, VISITOR])
      expect(await refusalOf(who.run(statement)), statement).toMatchObject(DENIED)
  await write('for the server')
  const service = { role: 'service_role', claims: '{"role":"service_role"}' }
  const [rows] = await asCaller(db, service, [{ text: 'select subject from private.take_due_mails(1)' }])
  expect(rows).toEqual([{ subject: 'for the server' }])
  await expect(
    asCaller(db, service, [{ text: 'select * from private.outgoing_mail' }]),
  ).rejects.toMatchObject(DENIED)
})
