import { beforeEach, describe, expect, test } from 'vitest'
import { createMailer } from '#mail/mailer.ts'
import { toPlainText } from '#mail/smtp.ts'
import { checkTemplate, fillTemplate, type TemplateValues } from '#mail/templates.ts'
import { serveTest, testServer } from './harness.ts'
import { openMailbox } from './mailbox.ts'

const server = await testServer()
const keeping = createMailer({ db: server.db, smtpUrl: undefined, from: '' })
beforeEach(() => server.db.query('delete from platform.captured_mail'))

const values: TemplateValues = {
  ConfirmationURL: 'https://potluck.example/auth/v1/verify?token=abc&type=signup',
  Token: '012345',
  TokenHash: 'abc',
  SiteURL: 'https://potluck.example',
  Email: 'olivia@example.com',
  NewEmail: '',
  RedirectTo: 'https://potluck.example/auth-redirect',
  Data: { name: '<b>Olivia</b> & "Co"', address: { city: 'Bonn' }, age: 40 },
}
const fill = (html: string, subject = '') => fillTemplate({ subject, html }, values)

describe('a template', () => {
  test.each([
    ['{{ .Token }}', '012345'],
    ['{{.Token}}|{{- .Token -}}', '012345|012345'],
    [
      '<a href="{{ .ConfirmationURL }}">',
      '<a href="https://potluck.example/auth/v1/verify?token=abc&amp;type=signup">',
    ],
    ['{{ .Data.name }}', '&lt;b&gt;Olivia&lt;/b&gt; &amp; &quot;Co&quot;'],
    ['{{ .Data.address.city }}, {{ .Data.age }}', 'Bonn, 40'],
    ['[{{ .Data.missing }}{{ .Data.constructor }}{{ .NewEmail }}]', '[]'],
    ['{{ .Data.address }}', '{&quot;city&quot;:&quot;Bonn&quot;}'],
    ['{ .Token } {{}', '{ .Token } {{}'],
    ['{{ if eq .Data.missing "de" }}a{{ .Email }}{{ else }}b{{ end }}', 'b'],
    [
      '{{ if eq .Token "1" }}a{{ else if eq .Data.address.city "Bonn" }}b{{ if eq .NewEmail "" }}c{{ .Token }}{{ end }}{{ else if eq .Token "012345" }}d{{ else }}e{{ end }}f',
      'bc012345f',
    ],
  ])('%s becomes %s', (template, filled) => {
    expect(fill(template).html).toBe(filled)
  })

  test('cannot be given another line in its subject', () => {
    const data = { ...values, Data: { name: 'Olivia\r\nBcc: all@example.com' } }
    const { subject } = fillTemplate({ subject: 'Hello {{ .Data.name }} <3', html: '' }, data)
    expect(subject).toBe('Hello Olivia Bcc: all@example.com <3')
  })

  const wrong = [
    '{{ .Password }}',
    '{{ if .Token }}',
    '{{ range .Data }}',
    '{{ .Token | safe }}',
    '{{ Token }}',
    '{{ if eq .Password "" }}{{ end }}',
    '{{ if eq .Token "" }}',
    '{{ end }}',
    '{{ else }}{{ if eq .Token "" }}{{ end }}',
  ]
  test.each(wrong)('that asks for %s is refused before anything is mailed', (html) => {
    expect(() => checkTemplate('invite', { subject: '', html })).toThrow('invite')
  })
})

describe('the plain-text part', () => {
  test('says what the HTML says, links included', () => {
    const html = `<!doctype html><html><head><title>Subject</title><style>p { color: red }</style></head><body>
      <!-- hidden --><h1>Hello   <b>Olivia</b></h1>
      <p>Tom &amp; Jerry &lt;3&nbsp;&#39;cheese&#x27; &euro;</p>
      <p><a href="https://potluck.example/?a=1&amp;b=2">Confirm</a><br>or not</p>
      <ul><li>one</li><li>two</li></ul>
      <p><a href="https://potluck.example/">https://potluck.example/</a></p></body></html>`
    expect(toPlainText(html)).toBe(`Hello Olivia

Tom & Jerry <3\u00a0'cheese' €

Confirm https://potluck.example/?a=1&b=2
or not

- one
- two

https://potluck.example/`)
  })
})

describe('the mailer', () => {
  test('sends by SMTP, with both parts and the address taken literally', async () => {
    const { url, received, server: mailbox } = await openMailbox()
    const mailer = createMailer({ db: server.db, smtpUrl: url, from: 'Potluck <no-reply@potluck.example>' })
    await mailer.send({ to: 'olivia+tag@example.com', subject: 'Grüße', html: '<p>Hello <b>you</b></p>' })
    expect(received).toHaveLength(1)
    expect(received[0]).toContain('From: Potluck <no-reply@potluck.example>')
    expect(received[0]).toContain('To: olivia+tag@example.com')
    expect(received[0]).toMatch(/Subject: =\?UTF-8\?/)
    expect(received[0]).toContain('text/plain')
    expect(received[0]).toContain('<p>Hello <b>you</b></p>')
    await expect(mailer.send({ to: 'refused@example.com', subject: 'x', html: 'x' })).rejects.toThrow('550')
    expect(await server.db.query('select * from platform.captured_mail')).toEqual([])
    mailbox.close()
  })

  test('keeps the newest 500 where there is nowhere to send', async () => {
    await server.db.query(`insert into platform.captured_mail (recipient, subject, text, html)
      select 'old@example.com', 'number ' || n, '', '' from generate_series(1, 500) n`)
    await keeping.send({ to: 'new@example.com', subject: 'newest', html: '<p>x</p>' })
    const kept = await server.db.query('select subject from platform.captured_mail order by id')
    expect([kept.length, kept[0]?.subject, kept.at(-1)?.subject]).toEqual([500, 'number 2', 'newest'])
  })
})

describe('the outbox', () => {
  beforeEach(async () => {
    await keeping.send({ to: 'first@example.com', subject: 'First', html: '<p>one</p>' })
    await keeping.send({
      to: '"><script>alert(1)</script>@example.com',
      subject: '<img src=x onerror=alert(1)>',
      html: '<p>See <a href="https://potluck.example/?a=1&amp;b=2">this</a></p><script>alert(2)</script>',
    })
  })

  test('lists the mail as JSON, newest first', async () => {
    const response = await fetch(`${server.url}/outbox.json`)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/)
    expect(await response.json()).toEqual([
      expect.objectContaining({ subject: '<img src=x onerror=alert(1)>' }),
      { to: 'first@example.com', subject: 'First', text: 'one', html: '<p>one</p>', created_at },
    ])
  })

  test('shows it to people, with live links and nothing that runs', async () => {
    const response = await fetch(`${server.url}/outbox`)
    const page = await response.text()
    expect(page).toContain('See this <a href="https://potluck.example/?a=1&amp;b=2">')
    expect(page).toContain('sandbox=""')
    expect(page).not.toMatch(/<script|<img/i)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('script-src')
  })

  test('is not there where mail is sent', async () => {
    const shared = { ...server.db, close: async () => undefined }
    const env = { OUTBOX: 'off', SMTP_URL: 'smtp://127.0.0.1:1' }
    const sending = await serveTest(shared, server.databaseUrl, env)
    const response = await fetch(`${sending.url}/outbox.json`)
    expect(response.headers.get('content-type')).not.toContain('json')
    await sending.close()
  })
})
