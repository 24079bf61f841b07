// Sends one mail of the database's queue; our server and the function `mail` both carry it (docs/decisions/009-outgoing-mail.md).
import type { Mailer } from './smtp.ts'

/** A row of `take_due_mails()`. */
export interface DueMail {
  id: string
  attempt: number
  recipient: string
  subject: string
  /** `{{ .SiteURL }}` stands where the site's address belongs. */
  html: string
  unsubscribe_path: string | null
}

export interface Failure {
  message: string
  /** Whether trying again is pointless. */
  isFinal: boolean
}

/** Hands the mail to the mail server; says why that did not take it. `siteUrl` has no trailing slash. */
export async function sendDue(mail: DueMail, mailer: Mailer, siteUrl: string): Promise<Failure | undefined> {
  const { recipient, subject, html, unsubscribe_path: path } = mail
  const inHtml = siteUrl.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  try {
    await mailer.send({
      to: recipient,
      subject,
      html: html.replaceAll('{{ .SiteURL }}', () => inHtml),
      ...(path !== null && { unsubscribeUrl: `${siteUrl}${path}` }),
    })
    return undefined
  } catch (error) {
    return toFailure(error)
  }
}

/** A mail server that knows no such recipient will not know them in an hour either. */
export function toFailure(error: unknown): Failure {
  const { message, command, responseCode } = error as Error & { command?: string; responseCode?: number }
  return { message, isFinal: command === 'RCPT TO' && responseCode !== undefined && responseCode >= 500 }
}
