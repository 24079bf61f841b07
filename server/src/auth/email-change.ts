// Moving an account to another address: mailed to both boxes, done when both have agreed.
import { issueToken, type TokenKind } from '#identity/one-time-tokens.ts'
import type { User } from '#identity/users.ts'
import { sendLetter } from './letters.ts'
import type { AuthParts } from './parts.ts'

/** Notes the wish and mails it to the new address and, where the settings ask both sides, to the old one. */
export async function mailEmailChange(
  parts: AuthParts,
  user: User,
  { newEmail, redirectTo }: { newEmail: string; redirectTo: string },
): Promise<void> {
  const { db, tokens, settings } = parts
  const oldEmail = user.email ?? ''
  const boxes: { kind: TokenKind; to: string }[] = [{ kind: 'email_change_new', to: newEmail }]
  if (settings.doubleConfirmChanges && oldEmail !== '')
    boxes.push({ kind: 'email_change_current', to: oldEmail })

  const letters = await db.transaction(async (tx) => {
    await tx.query(
      `update auth.users set email_change = $2, email_change_sent_at = now(), updated_at = now() where id = $1`,
      [user.id, newEmail],
    )
    await tx.query(
      `delete from auth.one_time_tokens where user_id = $1 and kind in ('email_change_current', 'email_change_new')`,
      [user.id],
    )
    const issued = []
    for (const { kind, to } of boxes) {
      const mailed = await issueToken(tx, tokens, {
        userId: user.id,
        kind,
        email: to,
        codeLength: settings.otpLength,
      })
      issued.push({ to, mailed })
    }
    return issued
  })
  for (const letter of letters) {
    await sendLetter(parts, {
      ...letter,
      template: 'email_change',
      type: 'email_change',
      redirectTo,
      accountEmail: oldEmail,
      newEmail,
      data: user.raw_user_meta_data,
    })
  }
}
