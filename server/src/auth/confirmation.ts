// The mails that prove an address: the one that finishes a sign-up, and those that move an account to another address.
import { DatabaseError, type Transaction } from '#db/database.ts'
import { createUser, type NewUser } from '#identity/new-user.ts'
import { issueToken, type TokenKind } from '#identity/one-time-tokens.ts'
import { passwordMatches } from '#identity/passwords.ts'
import { findUserByEmail, reloadUser, type User } from '#identity/users.ts'
import { unexpected } from './errors.ts'
import { type Letter, sendLetter } from './letters.ts'
import type { AuthParts } from './parts.ts'

/** Creates the account, or answers undefined when the address is taken. A trigger's refusal becomes a 500. */
export async function signUpUser(tx: Transaction, person: NewUser): Promise<User | undefined> {
  try {
    return await createUser(tx, person)
  } catch (error) {
    // Class 22 is about the data sent, and answered as such; anything else is a trigger or constraint of the project.
    if (error instanceof DatabaseError && !error.code.startsWith('22')) {
      throw unexpected('Database error saving new user', error)
    }
    throw error
  }
}

/**
 * Creates the account unless there is one, and mails it a confirmation. Answers undefined, and mails nothing, when
 * the address belongs to a confirmed account. `dropsPassword`: following the link takes away a password that
 * somebody set before the address was proven, because whoever asked for this mail did not name it.
 */
export async function mailConfirmation(
  parts: AuthParts,
  person: NewUser,
  {
    redirectTo,
    password = '',
    dropsPassword = false,
  }: { redirectTo: string; password?: string; dropsPassword?: boolean },
): Promise<User | undefined> {
  const prepared = await parts.db.transaction(async (tx) => {
    const created = await signUpUser(tx, person)
    if (created) return prepareConfirmation(parts, tx, created, { redirectTo, dropsPassword })
    const user = await findUserByEmail(tx, person.email)
    // The account was there already: whoever made it chose its password, and is who asks now only if they know it.
    const knowsPassword = await passwordMatches(password, user?.encrypted_password)
    if (!user || user.email_confirmed_at !== null) return undefined
    return prepareConfirmation(parts, tx, user, {
      redirectTo,
      dropsPassword: dropsPassword || !knowsPassword,
    })
  })
  if (!prepared) return undefined
  await sendLetter(parts, prepared.letter)
  return prepared.user
}

/** Issues the token and notes the time; the letter is for sending after the commit. */
export async function prepareConfirmation(
  { tokens, settings }: AuthParts,
  tx: Transaction,
  { id: userId, email }: User,
  { redirectTo, dropsPassword = false }: { redirectTo: string; dropsPassword?: boolean },
): Promise<{ user: User; letter: Letter }> {
  const to = email ?? ''
  const mailed = await issueToken(tx, tokens, {
    userId,
    kind: 'signup',
    email: to,
    codeLength: settings.otpLength,
    dropsPassword,
  })
  await tx.query('update auth.users set confirmation_sent_at = now(), updated_at = now() where id = $1', [
    userId,
  ])
  const user = await reloadUser(tx, userId)
  return {
    user,
    letter: {
      template: 'confirmation',
      type: 'signup',
      to,
      mailed,
      redirectTo,
      data: user.raw_user_meta_data,
    },
  }
}

/**
 * Notes the address an account is to move to, in place of an earlier one; it moves when every box that was mailed has
 * agreed. The letters are for sending after the commit: one to the new address
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
