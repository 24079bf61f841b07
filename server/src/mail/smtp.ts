// Sends mail by SMTP. Runs in Node and in Deno: the Edge Function `mail` uses this file too.
import { compile } from 'html-to-text'
import { createTransport } from 'nodemailer'

export interface Mail {
  to: string
  subject: string
  html: string
  /** The unsubscribe link for mail of this kind; mail programs show it beside the sender. */
  unsubscribeUrl?: string
}

export interface Mailer {
  /** Resolves once the mail server has accepted the mail; otherwise rejects. */
  send(mail: Mail): Promise<void>
}

/** Turns HTML into the plain-text part of a mail: links become text and URL, layout tables become paragraphs. */
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

const SECOND = 1000

/** Sends through the mail server at `url` (smtp:// or smtps://) as `from`. */
export function sendBySmtp(url: string, from: string): Mailer {
  // A person waits for the response, so a silent mail server must not block it for minutes.
  const transport = createTransport(
    withOptions(url, { connectionTimeout: 10 * SECOND, socketTimeout: 20 * SECOND }),
    { from },
  )
  return {
    send: async ({ to, subject, html, unsubscribeUrl }) => {
      await transport.sendMail({
        // In an object, the address is taken literally, whatever commas or quotes it contains.
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

export interface Failure {
  message: string
  /** True if trying again is pointless. */
  isFinal: boolean
  /** True if no mail at all could have been sent. */
  isOutage: boolean
}

const MAIL_COMMANDS = ['MAIL FROM', 'RCPT TO', 'DATA']

/**
 * Classifies a failure. It is final if the mail server permanently rejects the recipient. It counts as an outage, which
 * affects all mails, unless it is the reply to a command about this mail (but 421 closes the connection).
 */
export function toFailure(error: unknown): Failure {
  const { message, command, responseCode } = error as Error & { command?: string; responseCode?: number }
  const isAboutMail =
    responseCode !== undefined && responseCode !== 421 && MAIL_COMMANDS.includes(command ?? '')
  return {
    message,
    isFinal: isAboutMail && command === 'RCPT TO' && responseCode >= 500,
    isOutage: !isAboutMail,
  }
}
