// Sends one mail of the database's queue; for our server and the function `mail` (docs/decisions/009-outgoing-mail.md).
import type { Mailer } from './smtp.ts'
import { languages } from './words/languages.ts'
import { render } from './words/render.ts'

/** A row of `lease_due_mails()`. */
export interface DueMail {
  id: string
  attempt: number
  recipient: string
  /** In English, like `parts`. */
  subject: string
  /** HTML of a mail that is sent unchanged. `{{ .SiteURL }}` stands for the site's address, as in `frame`. */
  html: string | null
  unsubscribe_path: string | null
  /** The event, for wording it in the reader's language. */
  event: string | null
  params: Record<string, unknown>
  /** English texts of any other mail, for placeholders such as `{{ .heading }}` in `frame`. */
  parts: ({ sentences: string[] } & Record<string, unknown>) | null
  frame: string | null
  /** A BCP 47 tag; null if not known. */
  language: string | null
  time_zone: string
  /** Ids of its subjects and links. */
  about: string[]
}

export interface Failure {
  message: string
  /** Whether trying again is pointless. */
  isFinal: boolean
  /** True if no mail at all could have been sent. */
  isOutage: boolean
}

/** Sends the mail; if it fails, returns the reason. `siteUrl` has no trailing slash. */
export async function sendDue(mail: DueMail, mailer: Mailer, siteUrl: string): Promise<Failure | undefined> {
  const { recipient, unsubscribe_path: path } = mail
  const { subject, html } = inWords(mail)
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

/**
 * Subject and HTML in the reader's language, if it is known and translated. Texts that people wrote stay as they are.
 */
function inWords({ subject, html, event, params, parts, frame, language, time_zone: zone }: DueMail) {
  if (!parts || frame === null) return { subject, html: html ?? '' }
  const known = languages[language ?? '']
  const { title, message } = known?.events[event ?? ''] ?? {}
  const words = { subject: message, heading: title, sentence_1: message, ...known?.mails[event ?? ''] }
  const say = (place: string, english: string) => {
    const said = words[place as keyof typeof words] ?? known?.phrases[english]
    return (said && language && render(said, params, { language, zone })) ?? english
  }
  const sentences = parts.sentences.map((sentence, index) => [`sentence_${index + 1}`, sentence])
  const texts: Record<string, unknown> = {
    ...parts,
    ...Object.fromEntries(sentences),
    ...(known && { language }),
  }
  return {
    // As private.mail_subject() does it: people may have written all of it.
    subject: [...say('subject', subject).replaceAll(/\p{Cc}+/gu, ' ')].slice(0, 200).join(''),
    html: frame.replaceAll(/\{\{ \.([a-z_0-9]+) \}\}/g, (_whole, place: string) =>
      escapeHtml(say(place, String(texts[place]))),
    ),
  }
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '{': '&#123;',
}

/** Like the database: names cannot inject markup or a placeholder. */
const escapeHtml = (text: string) => text.replaceAll(/[&<>"'{]/g, (char) => ENTITIES[char] ?? '')

const MAIL_COMMANDS = ['MAIL FROM', 'RCPT TO', 'DATA']

/**
 * Whether a failure is final: retrying is pointless if the mail server does not know the recipient. An error before it
 * has been told of a recipient, or as it closes the connection (421), concerns all mails.
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
