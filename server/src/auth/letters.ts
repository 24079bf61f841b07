// Writes the auth mails and hands them to the mailer. Always called after the commit: a mail cannot be rolled back.
import { issueToken, type MailedToken } from '#identity/one-time-tokens.ts'
import type { User } from '#identity/users.ts'
import { fillTemplate, type TemplateName } from '#mail/templates.ts'
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

const TEMPLATES = { magiclink: 'magic_link', recovery: 'recovery' } as const

/** Mails a person with an account a link that signs in, or one that leads to a new password. */
export async function mailSignInLink(
  parts: AuthParts,
  user: User,
  { type, redirectTo }: { type: keyof typeof TEMPLATES; redirectTo: string },
): Promise<void> {
  const to = user.email ?? ''
  const mailed = await parts.db.transaction(async (tx) => {
    await tx.query('update auth.users set recovery_sent_at = now(), updated_at = now() where id = $1', [
      user.id,
    ])
    return issueToken(tx, parts.tokens, {
      userId: user.id,
      kind: type,
      email: to,
      codeLength: parts.settings.otpLength,
    })
  })
  const data = user.raw_user_meta_data
  await sendLetter(parts, { template: TEMPLATES[type], type, to, mailed, redirectTo, data })
}
