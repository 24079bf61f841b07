// Puts a mail of the database's queue into words (docs/decisions/009-outgoing-mail.md).
import type { DueMail } from '../../../server/src/mail/due-mail.ts'
import { languages } from '../_shared/words/languages.ts'
import { render } from '../_shared/words/render.ts'

/** A row of `lease_due_mails()`: either `html` or `parts` and `frame`. */
export interface QueuedMail extends DueMail {
  /** The event, for wording it in the reader's language. */
  event: string | null
  params: Record<string, unknown>
  /** English texts for placeholders such as `{{ .heading }}` in `frame`. */
  parts: ({ sentences: string[] } & Record<string, unknown>) | null
  frame: string | null
  /** A BCP 47 tag; null if it is not known. */
  language: string | null
  time_zone: string
}

/** The mail in its reader's language, if that is known and translated. Texts that people wrote stay as they are. */
export function inWords(mail: QueuedMail): QueuedMail {
  const { subject, event, params, parts, frame, language, time_zone: zone } = mail
  if (!parts || frame === null) return mail
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
    ...mail,
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
