// Sends mail by SMTP, or captures it in a table that the outbox page shows.
import { compile } from 'html-to-text'
import { createTransport } from 'nodemailer'
import type { Database } from '#db/database.ts'

export interface Mail {
  to: string
  subject: string
  html: string
  /** Where the recipient ends mail of this kind; mail programs offer it beside the sender. */
  unsubscribeUrl?: string
}

export interface Mailer {
  /** Resolves once the mail server has taken the mail; rejects when it has not. */
  send(mail: Mail): Promise<void>
}

/** The plain-text part of a mail: a link as its words and its address, the layout tables as the blocks they hold. */
export const toPlainText = compile({
  wordwrap: false,
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: false } },
    { selector: 'h1', options: { uppercase: false } },
    { selector: 'h2', options: { uppercase: false } },
    { selector: 'ul', options: { itemPrefix: '- ' } },
    { selector: 'title', format: 'skip' },
    { selector: 'img', format: 'skip' },
  ],
})

const KEPT = 500
const SECOND = 1000

/** Sends through `smtpUrl` as `from` where there is one, else captures the newest 500 mails in the database. */
export function createMailer(parts: { db: Database; smtpUrl: string | undefined; from: string }): Mailer {
  return parts.smtpUrl === undefined ? capture(parts.db) : sendBySmtp(parts.smtpUrl, parts.from)
}

function sendBySmtp(url: string, from: string): Mailer {
  // A person waits for the answer, so a silent mail server must not hold it for minutes.
  const transport = createTransport(
    withOptions(url, { connectionTimeout: 10 * SECOND, socketTimeout: 20 * SECOND }),
    { from },
  )
  return {
    send: async ({ to, subject, html, unsubscribeUrl }) => {
      await transport.sendMail({
        // As an object the address is taken literally, whatever commas or quotes it may hold.
        to: { name: '', address: to },
        subject,
        html,
        text: toPlainText(html),
        ...(unsubscribeUrl !== undefined && { list: { unsubscribe: unsubscribeUrl } }),
      })
    },
  }
}

function withOptions(url: string, options: Record<string, number>): string {
  const address = new URL(url)
  for (const [name, value] of Object.entries(options)) {
    if (!address.searchParams.has(name)) address.searchParams.set(name, String(value))
  }
  return address.href
}

function capture(db: Database): Mailer {
  return {
    send: async ({ to, subject, html }) => {
      await db.transaction(async (tx) => {
        await tx.query(
          'insert into platform.captured_mail (recipient, subject, text, html) values ($1, $2, $3, $4)',
          [to, subject, toPlainText(html), html],
        )
        await tx.query(
          `delete from platform.captured_mail where id <= (
             select id from platform.captured_mail order by id desc offset ${KEPT} limit 1)`,
        )
      })
    },
  }
}
