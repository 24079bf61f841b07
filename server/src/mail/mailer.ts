// Sends mail by SMTP, or captures it in a table that the outbox page shows.
import type { Database } from '#db/database.ts'
import { type Mailer, sendBySmtp, toPlainText } from './smtp.ts'

const KEPT = 500

/** Sends from `from` through `smtpUrl` if it is set; otherwise stores the newest 500 mails in the database. */
export function createMailer(parts: { db: Database; smtpUrl: string | undefined; from: string }): Mailer {
  const { db, smtpUrl, from } = parts
  if (smtpUrl !== undefined) return sendBySmtp(smtpUrl, from)
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
