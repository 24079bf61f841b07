// Writes the auth mails and hands them to the mailer. Always called after the commit: a mail cannot be rolled back.
import type { MailedToken } from '#identity/one-time-tokens.ts'
import type { TemplateName } from '#mail/default-templates.ts'
import { fillTemplate } from '#mail/templates.ts'
import { mailFailed } from './errors.ts'
import type { AuthParts } from './parts.ts'

export interface Letter {
  template: TemplateName
  /** The `type` its link names. */
  type: string
  to: string
  mailed: MailedToken
  redirectTo: string
  /** The account's address when that is not where the mail goes. */
  accountEmail?: string
  newEmail?: string
  data: Record<string, unknown>
}

// As Supabase Auth calls them when one cannot be sent.
const SPOKEN: Record<TemplateName, string> = {
  invite: 'invite',
  confirmation: 'confirmation',
  recovery: 'recovery',
  magic_link: 'magic link',
  email_change: 'email change',
}

/** Resolves once the mail server took it; throws 424, and the caller's request can simply be repeated. */
export async function sendLetter({ mailer, settings }: AuthParts, letter: Letter): Promise<void> {
  const { mailed, redirectTo } = letter
  const link = new URLSearchParams({ token: mailed.token, type: letter.type, redirect_to: redirectTo })
  const { subject, html } = fillTemplate(settings.templates[letter.template], {
    ConfirmationURL: `${settings.apiUrl}/auth/v1/verify?${link}`,
    Token: mailed.code,
    TokenHash: mailed.token,
    SiteURL: settings.siteUrl,
    Email: letter.accountEmail ?? letter.to,
    NewEmail: letter.newEmail ?? '',
    RedirectTo: redirectTo,
    Data: letter.data,
  })
  await mailer.send({ to: letter.to, subject, html }).catch((error: unknown) => {
    throw mailFailed(SPOKEN[letter.template], error)
  })
}
