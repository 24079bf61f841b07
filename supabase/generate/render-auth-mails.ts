// Renders the mails of the auth service, in the same layout as all other mails and in every language. The account's
// metadata decide the language.
import { english, languages, type Words } from '../functions/_shared/words/languages.ts'
import { type AuthMail, authMails } from '../functions/_shared/words/mails.ts'
import { type Message, render } from '../functions/_shared/words/render.ts'
import { layOut } from '../functions/mail/layout.ts'

const VALUES = {
  email: '<strong>{{ .Email }}</strong>',
  newEmail: '<strong>{{ .NewEmail }}</strong>',
  token: '<strong>{{ .Token }}</strong>',
}
/** The kind of token that a template's link verifies. */
const TYPES: Record<string, string> = {
  confirmation: 'signup',
  magic_link: 'magiclink',
  recovery: 'recovery',
  invite: 'invite',
  email_change: 'email_change',
}
/**
 * Returns the button's target: a page of ours, where a click verifies the token. The service's own
 * {{ .ConfirmationURL }} would verify the token as soon as a mail scanner opened it. The parameters follow a #, because
 * browsers send that part to no server. `to`, the page to which the person goes next, comes last, because Supabase
 * encodes it only in the URL of the button.
 */
const linkOf = (name: string) =>
  TYPES[name]
    ? `{{ .SiteURL }}/auth-redirect#token_hash={{ .TokenHash }}&amp;type=${TYPES[name]}&amp;email={{ .Email }}&amp;to={{ .RedirectTo }}`
    : '{{ .SiteURL }}'

/** Returns a template's `if … else` that picks the text in the account's language, or else in English. */
function inEach(messageIn: (words: Words, language: string) => Message | undefined, hours = 0): string {
  const say = (language: string, words: Words): string | null => {
    const message = messageIn(words, language)
    return message === undefined ? null : render(message, { ...VALUES, hours }, { language })
  }
  const saidInEnglish = say('en', english) ?? ''
  const others = Object.entries(languages).map(
    ([language, words], index) =>
      `{{ ${index > 0 ? 'else ' : ''}if eq .Data.language "${language}" }}${say(language, words) ?? saidInEnglish}`,
  )
  return `${others.join('')}{{ else }}${saidInEnglish}{{ end }}`
}

const partOf = (name: string, part: keyof AuthMail, hours?: number) =>
  inEach(({ authMails }) => authMails[name]?.[part], hours)

/** Returns each template with the name of its file in templates/. The links and codes work for `hours`. */
export const renderAuthMails = (hours: number): [file: string, html: string][] =>
  Object.keys(authMails).map((name) => [
    `${name}.html`,
    layOut({
      language: inEach((_words, language) => language),
      heading: partOf(name, 'heading'),
      paragraphs: [partOf(name, 'paragraph')],
      action: partOf(name, 'action'),
      link: linkOf(name),
      small_print: partOf(name, 'small_print', hours),
      paste: inEach(({ layout }) => layout.paste),
      closing: partOf(name, 'closing'),
      stop: null,
      motto: inEach(({ layout }) => layout.motto),
      imprint: inEach(({ layout }) => layout.imprint),
    }),
  ])

/**
 * Returns config.toml with the subjects of the mails. Subjects contain only typographic quotation marks, so they can be
 * enclosed in straight ones.
 */
export const withSubjects = (config: string): string =>
  config.replaceAll(
    /^(\[auth\.email\.template\.(\w+)\]\nsubject = ).*$/gm,
    (_whole, start: string, name: string) => `${start}'${partOf(name, 'subject')}'`,
  )
