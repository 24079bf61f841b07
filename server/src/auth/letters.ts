// Writes auth mails in the transaction that makes their links valid. Nothing here checks whether an account exists: for
// an unknown address the same statements run and match no rows, so timing reveals nothing.
import type { Transaction } from '#db/database.ts'
import { issueToken, type MailedToken } from '#identity/one-time-tokens.ts'
import type { Addressee } from '#identity/users.ts'
import { fillTemplate, type TemplateName } from '#mail/templates.ts'
import type { AuthParts } from './parts.ts'
import type { Challenge } from './pkce.ts'

interface Letter {
  template: TemplateName
  /** The `type` parameter of the mail's link. */
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
  const filled = fillTemplate(settings.templates[letter.template], {
    ConfirmationURL: linkOf(settings, letter),
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

/** Returns the URL that redeems the token and then redirects. */
export function linkOf(
  { apiUrl }: AuthParts['settings'],
  { mailed, type, redirectTo }: Pick<Letter, 'mailed' | 'type' | 'redirectTo'>,
): string {
  const query = new URLSearchParams({ token: mailed.token, type, redirect_to: redirectTo })
  return `${apiUrl}/auth/v1/verify?${query}`
}

const KINDS = {
  invite: { template: 'invite', sentAt: 'invited_at' },
  signup: { template: 'confirmation', sentAt: 'confirmation_sent_at' },
  magiclink: { template: 'magic_link', sentAt: 'recovery_sent_at' },
  recovery: { template: 'recovery', sentAt: 'recovery_sent_at' },
  reauthentication: { template: 'reauthentication', sentAt: 'reauthentication_sent_at' },
} as const

interface OwnToken {
  type: keyof typeof KINDS
  challenge?: Challenge | null
  dropsPassword?: boolean
}

/** Issues a link and a code of this kind for the account's own address, replacing earlier ones. */
export async function issueOwn(
  parts: AuthParts,
  tx: Transaction,
  account: Addressee,
  { type, challenge = null, dropsPassword = false }: OwnToken,
): Promise<MailedToken> {
  const mailed = await issueToken(tx, parts.tokens, {
    userId: account.id,
    kind: type,
    email: account.email ?? '',
    codeLength: parts.settings.otpLength,
    dropsPassword,
    challenge,
  })
  const { sentAt } = KINDS[type]
  await tx.query(`update auth.users set ${sentAt} = now(), updated_at = now() where id = $1`, [account.id])
  return mailed
}

export async function mailToken(
  parts: AuthParts,
  tx: Transaction,
  account: Addressee,
  { redirectTo, ...own }: OwnToken & { redirectTo: string },
): Promise<void> {
  const { type } = own
  const mailed = await issueOwn(parts, tx, account, own)
  const { template } = KINDS[type]
  await writeLetter(parts, tx, account, { template, type, to: account.email ?? '', mailed, redirectTo })
}
