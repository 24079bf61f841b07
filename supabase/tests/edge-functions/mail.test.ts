// Proves CLOCK 03
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Mailbox, openMailbox } from '../../../server/test/mailbox.ts'
import { HOSTS, type Host, openHost } from './hosts.ts'

describe.each(HOSTS)('the function mail in %s', (name) => {
  let mailbox: Mailbox
  let host: Host
  beforeAll(async () => {
    mailbox = await openMailbox()
    host = await openHost(name, 'mail', {
      OUTBOX: 'off',
      SMTP_URL: mailbox.url,
      SITE_URL: 'https://potluck.example/',
      MAIL_FROM: 'Potluck <mail@potluck.example>',
    })
    // The trigger is off, because the server that runs beside the function would send the mail too.
    await host.server.db.query('alter table private.outgoing_mail disable trigger wake')
  })
  afterAll(async () => {
    await host.close()
    mailbox.server.close()
  })
  const write = async (...recipients: string[]) => {
    for (const recipient of recipients)
      await host.server.db.query(
        `insert into private.outgoing_mail (recipient, subject, html, unsubscribe_path)
         values ($1, 'Hello', '<a href="{{ .SiteURL }}/x">Open</a>', '/unsubscribe/1')`,
        [recipient],
      )
  }
  const run = async () => (await host.call()).json()
  const queue = () =>
    host.server.db.query(
      'select recipient, sent_at is not null as sent, given_up_at is not null as over from private.outgoing_mail',
    )

  test('sends what is due, once, and says how it went', async () => {
    await write(
      ...Array.from({ length: 12 }, (_, n) => `olivia${n}@potluck.example`),
      'refused@potluck.example',
    )
    expect(await run()).toEqual({ sent: 12, failed: 1 })
    expect(await run()).toEqual({ sent: 0, failed: 0 })
    expect(mailbox.received).toHaveLength(12)
    const [mail] = mailbox.received
    expect(mail).toContain('From: Potluck <mail@potluck.example>')
    expect(mail).toContain('https://potluck.example/x')
    expect(mail).toContain('List-Unsubscribe: <https://potluck.example/unsubscribe/1>')
    expect((await queue()).filter(({ sent }) => sent)).toHaveLength(12)
    expect(await queue()).toContainEqual({ recipient: 'refused@potluck.example', sent: false, over: true })
  })

  test('what the mail server puts off is tried again later', async () => {
    mailbox.putOff = 1
    await write('later@potluck.example')
    expect(await run()).toEqual({ sent: 0, failed: 1 })
    await host.server.db.query(
      'update private.outgoing_mail set next_attempt_at = now() where sent_at is null',
    )
    expect(await run()).toEqual({ sent: 1, failed: 0 })
  })

  test('puts mail into words for the server alone', async () => {
    const [mail] =
      await host.server.db.query(`select 'you-are-back' as event, '{"ended": false}'::jsonb as params, '/' as path,
      'a@potluck.example' as recipient, null as subject, null as html, null as unsubscribe_path, null as language, 'UTC' as time_zone`)
    const ask = (key: string) =>
      host.call({ path: '/words', headers: { Authorization: `Bearer ${key}` }, body: JSON.stringify(mail) })
    expect((await ask(host.server.anonKey)).status).toBe(403)
    expect(await (await ask(host.server.serviceKey)).json()).toMatchObject({
      ...{
        subject: expect.stringMatching(/^Your account is no longer suspended/),
        html: expect.stringContaining('Open Potluck'),
      },
    })
  })

  test('only POST does anything', async () => {
    await write('kept@potluck.example')
    expect((await host.call({ method: 'GET' })).status).toBe(405)
    expect(await queue()).toContainEqual({ recipient: 'kept@potluck.example', sent: false, over: false })
  })
})
