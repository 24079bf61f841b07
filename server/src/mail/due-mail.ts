// Sends one mail of the project's queue. The Edge Function `mail` uses this file too
// (docs/decisions/009-outgoing-mail.md).
import { type Failure, type Mailer, toFailure } from './smtp.ts'

/** A mail whose subject and text are complete. */
export interface FinishedMail {
  recipient: string
  subject: string
  /** `{{ .SiteURL }}` stands for the site's address. */
  html: string
  unsubscribe_path: string | null
}

/** A row of `lease_due_mails()`. A project may return more columns. */
export interface DueMail extends Omit<FinishedMail, 'subject' | 'html'> {
  id: string
  attempt: number
  /** Null, as `html` is, if the project's function `mail` writes the texts. */
  subject: string | null
  html: string | null
  /** References to the things that the mail is about or links to. */
  about: string[]
}

/** Sends the mail. Returns the reason if that fails. `siteUrl` has no trailing slash. */
export async function sendDue(
  mail: FinishedMail,
  mailer: Mailer,
  siteUrl: string,
): Promise<Failure | undefined> {
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
