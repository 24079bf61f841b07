// Fills e-mail templates written for Supabase: HTML with Go-style variables such as {{ .ConfirmationURL }} and
// conditions such as {{ if eq .Data.language "de" }} … {{ else if eq … }} … {{ else }} … {{ end }}, which select a
// language.
import { html as escaped } from 'hono/html'

export interface Template {
  subject: string
  html: string
}

export interface TemplateValues {
  ConfirmationURL: string
  Token: string
  TokenHash: string
  SiteURL: string
  Email: string
  NewEmail: string
  RedirectTo: string
  /** The person's user_metadata; `{{ .Data.name }}` reads one value of it. */
  Data: Record<string, unknown>
}

const ACTION = /\{\{-?\s*(.*?)\s*-?\}\}/g
const VARIABLE = /^\.(ConfirmationURL|Token|TokenHash|SiteURL|Email|NewEmail|RedirectTo|Data(?:\.\w+)*)$/
const CONDITION = /^(else )?if eq (\S+) "([^"]*)"$/

/** Throws if the template uses an unknown variable or a malformed condition, so that no incomplete mail is sent. */
export function checkTemplate(name: string, { subject, html }: Template): void {
  for (const text of [subject, html]) {
    let open = 0
    for (const [action, inside = ''] of text.matchAll(ACTION)) {
      const [, isElse, tested] = CONDITION.exec(inside) ?? []
      const closes = isElse || inside === 'else' || inside === 'end'
      if (!(VARIABLE.test(tested ?? inside) || inside === 'else' || inside === 'end'))
        throw new Error(`Email template ${name}: ${action} is not a known variable`)
      if (closes && open === 0) throw new Error(`Email template ${name}: no condition before ${action}`)
      if (tested && !isElse) open += 1
      if (inside === 'end') open -= 1
    }
    if (open > 0) throw new Error(`Email template ${name}: a condition has no {{ end }}`)
  }
}

/**
 * Returns the subject and body with all values filled in. Values in the body are escaped, since people choose their own
 * names.
 */
export const fillTemplate = ({ subject, html }: Template, values: TemplateValues): Template => ({
  subject: fill(subject, values, onOneLine),
  html: fill(html, values, escapeHtml),
})

function fill(text: string, values: TemplateValues, write: (value: string) => string): string {
  // The enclosing conditions: whether the current branch holds, and whether an earlier one did.
  const around: { holds: boolean; done: boolean }[] = []
  let filled = ''
  let from = 0
  const isSaid = () => around.every(({ holds }) => holds)
  for (const { 0: action, 1: inside = '', index } of text.matchAll(ACTION)) {
    if (isSaid()) filled += text.slice(from, index)
    from = index + action.length
    const [, isElse, tested, value] = CONDITION.exec(inside) ?? []
    const holds = tested === undefined || lookUp(tested, values) === value
    if (inside === 'end') around.pop()
    else if (isElse || inside === 'else') {
      const { holds: held, done } = around.pop() ?? { holds: false, done: true }
      around.push({ holds: holds && !held && !done, done: held || done })
    } else if (tested) around.push({ holds, done: false })
    else if (isSaid()) filled += write(lookUp(inside, values))
  }
  return filled + text.slice(from)
}

function lookUp(inside: string, values: TemplateValues): string {
  let value: unknown = values
  for (const key of inside.split('.').slice(1)) {
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined
  }
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const onOneLine = (text: string) => text.replace(/[\r\n]+/g, ' ')

export const escapeHtml = (text: string): string => escaped`${text}`.toString()

export const TEMPLATE_NAMES = [
  'invite',
  'confirmation',
  'recovery',
  'magic_link',
  'email_change',
  'reauthentication',
] as const
export type TemplateName = (typeof TEMPLATE_NAMES)[number]

const letter = (subject: string, sentence: string, action: string): Template => ({
  subject,
  html: `<h2>${subject}</h2>
<p>${sentence}</p>
<p><a href="{{ .ConfirmationURL }}">${action}</a></p>
<p>Or enter this code: <strong>{{ .Token }}</strong></p>
<p>If you did not ask for this, you can ignore this email.</p>`,
})

/** The mails for which the project has no template of its own. */
export const DEFAULT_TEMPLATES: Record<TemplateName, Template> = {
  invite: letter('You have been invited', 'Someone invited you to {{ .SiteURL }}.', 'Accept the invitation'),
  confirmation: letter(
    'Confirm your email address',
    'One click and your account {{ .Email }} is ready.',
    'Confirm my address',
  ),
  recovery: letter('Reset your password', 'Here you can choose a new password.', 'Choose a new password'),
  magic_link: letter('Your sign-in link', 'This link signs you in. It works once.', 'Sign in'),
  email_change: letter(
    'Confirm your new email address',
    'Your account is about to move from {{ .Email }} to {{ .NewEmail }}.',
    'Confirm the change',
  ),
  reauthentication: {
    subject: 'Confirm that it is you',
    html: `<h2>Confirm that it is you</h2>
<p>Enter this code: <strong>{{ .Token }}</strong></p>
<p>If you did not ask for it, someone may be signed in as you: choose a new password.</p>`,
  },
}
