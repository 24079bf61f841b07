// Writes the auth mails, in the transaction that makes their links valid. Nothing here checks whether an account exists: for
// an unknown address the same statements run and match no rows, so timing reveals nothing.
import type { Transaction } from '#db/database.ts'
import { issueToken, type MailedToken } from '#identity/one-time-tokens.ts'
import type { Addressee } from '#identity/users.ts'
import { fillTemplate, type TemplateName } from '#mail/templates.ts'
import type { AuthParts } from './parts.ts'
import type { Challenge } from './pkce.ts'

interface Letter {
  template: TemplateName
  /** The `type` parameter of its link. */
  type: string
  to: string
  mailed: MailedToken
  redirectTo: string
  newEmail?: string
}

export async function writeLetter(
  { outgoing, settings }: AuthParts,
  tx: Transaction,
  account: Addressee,
  letter: Letter,
): Promise<void> {
  const { to, mailed, redirectTo } = letter
  const link = new URLSearchParams({ token: mailed.token, type: letter.type, redirect_to: redirectTo })
  const filled = fillTemplate(settings.templates[letter.template], {
    ConfirmationURL: `${settings.apiUrl}/auth/v1/verify?${link}`,
    Token: mailed.code,
    TokenHash: mailed.token,
    SiteURL: settings.siteUrl,
    Email: account.email ?? '',
    NewEmail: letter.newEmail ?? '',
    RedirectTo: redirectTo,
    Data: account.raw_user_meta_data,
  })
  await outgoing.write(tx, account.id, letter.type, { to, ...filled })
}

const KINDS = {
  signup: { template: 'confirmation', sentAt: 'confirmation_sent_at' },
  magiclink: { template: 'magic_link', sentAt: 'recovery_sent_at' },
  recovery: { template: 'recovery', sentAt: 'recovery_sent_at' },
  reauthentication: { template: 'reauthentication', sentAt: 'reauthentication_sent_at' },
} as const

/** Mails a link and a code of this kind to the account's own address, replacing earlier ones. */
export async function mailToken(
  parts: AuthParts,
  tx: Transaction,
  account: Addressee,
  {
    type,
    redirectTo,
    challenge,
    dropsPassword = false,
  }: { type: keyof typeof KINDS; redirectTo: string; challenge?: Challenge | null; dropsPassword?: boolean },
): Promise<void> {
  const { template, sentAt } = KINDS[type]
  const to = account.email ?? ''
  const mailed = await issueToken(tx, parts.tokens, {
    userId: account.id,
    kind: type,
    email: to,
    codeLength: parts.settings.otpLength,
    dropsPassword,
    challenge: challenge ?? null,
  })
  await tx.query(`update auth.users set ${sentAt} = now(), updated_at = now() where id = $1`, [account.id])
  await writeLetter(parts, tx, account, { template, type, to, mailed, redirectTo })
}
