// New accounts, and the mails that move an account to another address.
import { randomUUID } from 'node:crypto'
import { DatabaseError, isUnavailable, type Transaction } from '#db/database.ts'
import { createUser, type NewUser } from '#identity/new-user.ts'
import { issueToken, type TokenKind } from '#identity/one-time-tokens.ts'
import { type Addressee, findUserByEmail, type User } from '#identity/users.ts'
import { unexpected } from './errors.ts'
import { writeLetter } from './letters.ts'
import type { AuthParts } from './parts.ts'
import type { Challenge } from './pkce.ts'

/** Creates the account, or answers undefined when the address is taken. A trigger's refusal becomes a 500. */
export async function signUpUser(tx: Transaction, person: NewUser): Promise<User | undefined> {
  try {
    return await createUser(tx, person)
  } catch (error) {
    // Class 22 is about the data sent, and answered as such; what is neither that nor the database being away is a trigger
    // or constraint of the project.
    if (error instanceof DatabaseError && !error.code.startsWith('22') && !isUnavailable(error)) {
      throw unexpected('Database error saving new user', error)
    }
    throw error
  }
}

/**
 * The account of the address: `found`, or a new one. Where one was found, a stand-in is created all the same, with an
 * address nobody can have, and taken back: neither the time nor the answer, which `standIn` gives, must tell which it was.
 */
export async function findOrSignUp(
  tx: Transaction,
  person: NewUser,
  found: User | undefined,
): Promise<{ user: User; isNew: boolean; standIn: User | undefined }> {
  await tx.script('savepoint account')
  const made = await signUpUser(tx, found ? { ...person, email: `${randomUUID()}@invalid` } : person)
  await tx.script(found ? 'rollback to savepoint account' : 'release savepoint account')
  if (found) return { user: found, isNew: false, standIn: made && underName(made, person.email) }
  if (made) return { user: made, isNew: true, standIn: undefined }
  // Looked up before, and made by somebody in between.
  return findOrSignUp(tx, person, await findUserByEmail(tx, person.email))
}

/** The account as it would be at this address, and mailed to just now. */
function underName(account: User, email: string): User {
  const renamed = JSON.stringify(account).replaceAll(account.email ?? '', () => email)
  return { ...JSON.parse(renamed), confirmation_sent_at: account.created_at }
}

/**
 * Notes the address an account is to move to, in place of an earlier one; it moves when every box that was mailed has
 * agreed: the new one and, where the settings ask both sides, the old.
 */
export async function mailEmailChange(
  parts: AuthParts,
  tx: Transaction,
  account: Addressee,
  { newEmail, redirectTo, challenge }: { newEmail: string; redirectTo: string; challenge: Challenge | null },
): Promise<void> {
  const { tokens, settings } = parts
  const boxes: { kind: TokenKind; to: string }[] = [{ kind: 'email_change_new', to: newEmail }]
  if (settings.doubleConfirmChanges && account.email)
    boxes.push({ kind: 'email_change_current', to: account.email })

  await tx.query(
    'update auth.users set email_change = $2, email_change_sent_at = now(), updated_at = now() where id = $1',
    [account.id, newEmail],
  )
  await tx.query(
    `delete from auth.one_time_tokens where user_id = $1 and kind in ('email_change_current', 'email_change_new')`,
    [account.id],
  )
  for (const { kind, to } of boxes) {
    const codeLength = settings.otpLength
    const mailed = await issueToken(tx, tokens, {
      userId: account.id,
      kind,
      email: to,
      codeLength,
      challenge,
    })
    await writeLetter(parts, tx, account, {
      template: 'email_change',
      type: 'email_change',
      to,
      mailed,
      redirectTo,
      newEmail,
    })
  }
}
