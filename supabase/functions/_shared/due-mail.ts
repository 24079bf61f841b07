// Sends one mail of the database's queue; shared by our server and the function `mail` (docs/decisions/009-outgoing-mail.md).
import type { Mailer } from './smtp.ts'

/** A row of `take_due_mails()`. */
export interface DueMail {
  id: string
  attempt: number
  recipient: string
  subject: string
  /** `{{ .SiteURL }}` stands for the site's address. */
  html: string
  unsubscribe_path: string | null
}

export interface Failure {
  message: string
  /** Whether trying again is pointless. */
  isFinal: boolean
}

/** Sends the mail; if it fails, returns the reason. `siteUrl` has no trailing slash. */
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

/** If the mail server does not know the recipient, retrying is pointless. */
export function toFailure(error: unknown): Failure {
  const { message, command, responseCode } = error as Error & { command?: string; responseCode?: number }
  return { message, isFinal: command === 'RCPT TO' && responseCode !== undefined && responseCode >= 500 }
}
