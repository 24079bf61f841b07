// The mails to a person with an account: a link that signs in, or one that leads to a new password.
import { issueToken } from '#identity/one-time-tokens.ts'
import type { User } from '#identity/users.ts'
import { sendLetter } from './letters.ts'
import type { AuthParts } from './parts.ts'

const TEMPLATES = { magiclink: 'magic_link', recovery: 'recovery' } as const

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
