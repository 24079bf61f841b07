// Writes the texts of mails in the database's queue (docs/decisions/009-outgoing-mail.md).
import type { DueMail, FinishedMail } from '../../../server/src/mail/due-mail.ts'
import { english, languages, type Words } from '../_shared/words/languages.ts'
import { named } from '../_shared/words/plan-names.ts'
import { type Message, render } from '../_shared/words/render.ts'
import { layOut } from './layout.ts'

/** A row of `lease_due_mails()`: either a finished mail, with a subject and html, or an event and a path. */
export interface QueuedMail extends DueMail {
  event: string | null
  params: Record<string, unknown>
  /** The page that the button opens. */
  path: string | null
  /** The reader's language, as a BCP 47 tag; null if unknown. */
  language: string | null
  time_zone: string
}

const PARTS = [
  'subject',
  'heading',
  'action',
  'small_print',
  'closing',
  'paste',
  'stop',
  'motto',
  'imprint',
] as const

/** The texts of a mail, as plain text. */
export interface Said extends Record<(typeof PARTS)[number], string> {
  language: string
  sentences: string[]
}

/** Turns a mail of the queue into one that is ready to be sent. */
export function inWords(mail: QueuedMail): FinishedMail {
  const { recipient, subject, html, unsubscribe_path, path } = mail
  if (subject !== null && html !== null) return { recipient, subject, html, unsubscribe_path }
  const said = sayMail(mail)
  const link = (to: string | null) => `{{ .SiteURL }}${escapeHtml(to ?? '')}`
  return {
    recipient,
    // The subject may contain long texts that people wrote. Make it a single line, short enough for every mail server.
    subject: [...said.subject.replaceAll(/\p{Cc}+/gu, ' ')].slice(0, 200).join(''),
    html: layOut({
      language: said.language,
      heading: escapeHtml(said.heading),
      paragraphs: said.sentences.map(escapeHtml),
      action: escapeHtml(said.action),
      link: link(path),
      small_print: escapeHtml(said.small_print),
      paste: escapeHtml(said.paste),
      closing: escapeHtml(said.closing),
      stop: unsubscribe_path === null ? null : { text: escapeHtml(said.stop), link: link(unsubscribe_path) },
      motto: escapeHtml(said.motto),
      imprint: escapeHtml(said.imprint),
    }),
    unsubscribe_path,
  }
}

/**
 * Renders a mail in its reader's language, or in English if that language is unknown or has no translation. Texts that
 * people wrote are not translated.
 */
export function sayMail({ event, params, path, language, time_zone: zone }: QueuedMail): Said {
  const page = Object.keys(english.pages).find((beginning) => path?.startsWith(beginning)) ?? ''
  const texts = textsOf(english, event ?? '', page)
  const known = Object.hasOwn(languages, language ?? '') ? languages[language ?? ''] : undefined
  const reader = { language: (known && language) || 'en', zone }
  const translated = known && textsOf(known, event ?? '', page)
  const say = (part: string): string => {
    const said =
      (translated?.[part] ? render(translated[part], named(params, reader.language), reader) : null) ??
      (texts[part] ? render(texts[part], named(params, 'en'), { language: 'en', zone }) : null)
    if (said === null) throw new Error(`Nothing to say as ${part} of a mail about ${event}`)
    return said
  }
  return {
    ...(Object.fromEntries(PARTS.map((part) => [part, say(part)])) as Record<(typeof PARTS)[number], string>),
    language: reader.language,
    sentences: Object.keys(texts)
      .filter((part) => part.startsWith('sentence_'))
      .map(say)
      // A sentence that does not apply is empty.
      .filter(Boolean),
  }
}

/** Returns the messages of a mail, by the parts of the mail. */
function textsOf(
  { events, mails, pages, layout }: Words,
  event: string,
  page: string,
): Record<string, Message | undefined> {
  const { title, message } = events[event] ?? {}
  return {
    ...layout,
    ...(message && { subject: message, heading: title, sentence_1: message, ...mails.notification }),
    action: pages[page],
    ...mails[event],
    ...(page === '/place#' && mails.guest),
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

/** Escapes a text, so that names cannot inject markup or a template's variable. */
const escapeHtml = (text: string) => text.replaceAll(/[&<>"'{]/g, (char) => ENTITIES[char] ?? '')
