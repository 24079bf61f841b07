// What is mailed when the project brings no template of its own for the occasion.
import type { Template } from './templates.ts'

export const TEMPLATE_NAMES = ['invite', 'confirmation', 'recovery', 'magic_link', 'email_change'] as const
export type TemplateName = (typeof TEMPLATE_NAMES)[number]

const letter = (subject: string, sentence: string, action: string): Template => ({
  subject,
  html: `<h2>${subject}</h2>
<p>${sentence}</p>
<p><a href="{{ .ConfirmationURL }}">${action}</a></p>
<p>Or enter this code: <strong>{{ .Token }}</strong></p>
<p>If you did not ask for this, you can ignore this e-mail.</p>`,
})

export const DEFAULT_TEMPLATES: Record<TemplateName, Template> = {
  invite: letter('You have been invited', 'Someone invited you to {{ .SiteURL }}.', 'Accept the invitation'),
  confirmation: letter(
    'Confirm your e-mail address',
    'One click and your account {{ .Email }} is ready.',
    'Confirm my address',
  ),
  recovery: letter('Reset your password', 'Here you can choose a new password.', 'Choose a new password'),
  magic_link: letter('Your sign-in link', 'This link signs you in. It works once.', 'Sign in'),
  email_change: letter(
    'Confirm your new e-mail address',
    'Your account is about to move from {{ .Email }} to {{ .NewEmail }}.',
    'Confirm the change',
  ),
}
