// The mails of the auth service, in the same layout as every other mail and in every language; the account's metadata
// choose the language.
import type { Database } from '@potluck/server/db/database.ts'
import { languages } from '../functions/_shared/words/languages.ts'
import { type AuthMail, authMails } from '../functions/_shared/words/mails.ts'
import { render } from '../functions/_shared/words/render.ts'

const VALUES: Record<string, string> = {
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
 * The button's target: a page of ours, where a click verifies the token. The service's own {{ .ConfirmationURL }} would
 * verify it when a mail scanner opens it. All of it is behind a #, which browsers send to no server; the address to go
 * on to comes last, as Supabase encodes it in the button's address alone.
 */
const linkOf = (name: string) =>
  TYPES[name]
    ? `{{ .SiteURL }}/auth-redirect#token_hash={{ .TokenHash }}&amp;type=${TYPES[name]}&amp;email={{ .Email }}&amp;to={{ .RedirectTo }}`
    : '{{ .SiteURL }}'

/** A text in each language, as a condition of the template. */
function inEach(english: string, inLanguage: (language: string) => string | null | undefined): string {
  const others = Object.keys(languages).map(
    (language, index) =>
      `{{ ${index > 0 ? 'else ' : ''}if eq .Data.language "${language}" }}${inLanguage(language) ?? english}`,
  )
  return `${others.join('')}{{ else }}${english}{{ end }}`
}

const partOf = (name: string, part: keyof AuthMail) =>
  inEach(
    (authMails[name]?.[part] ?? '').replaceAll(/\{(\w+)\}/g, (_whole, value) => VALUES[value] ?? ''),
    (language) => {
      const message = languages[language]?.authMails[name]?.[part]
      return message && render(message, VALUES, { language })
    },
  )

/** Each template with the name of its file in templates/. */
export async function renderAuthMails(db: Pick<Database, 'query'>): Promise<[file: string, html: string][]> {
  const [row] = await db.query<{ words: Record<string, string> }>(
    'select private.mail_standing_words() as words',
  )
  const sharedWords = Object.entries(row?.words ?? {}).map(([name, english]) => [
    name,
    inEach(english, (language) => {
      const message = languages[language]?.phrases[english]
      return name === 'language' ? language : message && render(message, {}, { language })
    }),
  ])
  return Promise.all(
    Object.keys(authMails).map(async (name) => {
      const part = (which: keyof AuthMail) => partOf(name, which)
      const [mail] = await db.query<{ html: string }>(
        'select private.mail_layout($1, array[$2], $3, $4, $5, $6, null, $7) as html',
        [
          part('heading'),
          part('paragraph'),
          part('action'),
          linkOf(name),
          part('small_print'),
          part('closing'),
          JSON.stringify(Object.fromEntries(sharedWords)),
        ],
      )
      return [`${name}.html`, mail?.html ?? ''] as [string, string]
    }),
  )
}

/**
 * config.toml with the subjects of the mails. They contain only typographic quotation marks, so they fit between single
 * ones.
 */
export const withSubjects = (config: string): string =>
  config.replaceAll(
    /^(\[auth\.email\.template\.(\w+)\]\nsubject = ).*$/gm,
    (_whole, start: string, name: string) => `${start}'${partOf(name, 'subject')}'`,
  )
