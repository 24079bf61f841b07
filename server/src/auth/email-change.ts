// Moving an account to another address: mailed to both boxes, done when both have agreed.
import type { Transaction } from '#db/database.ts'
import { issueToken, type TokenKind } from '#identity/one-time-tokens.ts'
import type { User } from '#identity/users.ts'
import type { Letter } from './letters.ts'
import type { AuthParts } from './parts.ts'

/**
 * Notes the wish, in place of an earlier one. The letters are for sending after the commit: one to the new address
 * and, where the settings ask both sides, one to the old.
 */
export async function prepareEmailChange(
  { tokens, settings }: AuthParts,
  tx: Transaction,
  user: User,
  { newEmail, redirectTo }: { newEmail: string; redirectTo: string },
): Promise<Letter[]> {
  const oldEmail = user.email ?? ''
  const boxes: { kind: TokenKind; to: string }[] = [{ kind: 'email_change_new', to: newEmail }]
  if (settings.doubleConfirmChanges && oldEmail !== '')
    boxes.push({ kind: 'email_change_current', to: oldEmail })

  await tx.query(
    'update auth.users set email_change = $2, email_change_sent_at = now(), updated_at = now() where id = $1',
    [user.id, newEmail],
  )
  await tx.query(
    `delete from auth.one_time_tokens where user_id = $1 and kind in ('email_change_current', 'email_change_new')`,
    [user.id],
  )
  const letters: Letter[] = []
  for (const { kind, to } of boxes) {
    const codeLength = settings.otpLength
    letters.push({
      template: 'email_change',
      type: 'email_change',
      to,
      mailed: await issueToken(tx, tokens, { userId: user.id, kind, email: to, codeLength }),
      redirectTo,
      accountEmail: oldEmail,
      newEmail,
      data: user.raw_user_meta_data,
    })
  }
  return letters
}
