// Creates accounts, and mails the links that confirm a change of address.
import { randomUUID } from 'node:crypto'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { DatabaseError, isUnavailable, type Transaction } from '#db/database.ts'
import { createUser, type NewUser } from '#identity/new-user.ts'
import { issueToken, type TokenKind } from '#identity/one-time-tokens.ts'
import { type Addressee, findUserByEmail, type User } from '#identity/users.ts'
import { AuthError, unexpected } from './errors.ts'
import { writeLetter } from './letters.ts'
import type { AuthParts } from './parts.ts'
import type { Challenge } from './pkce.ts'

/**
 * Asks the project's hook whether this account may be created. Returns its refusal, or null. Supabase Auth asks only
 * about an address without an account. This server asks about every address, so that the answer does not reveal which
 * addresses have an account.
 */
export async function refusalByHook(
  { settings }: Pick<AuthParts, 'settings'>,
  db: Pick<Transaction, 'query'>,
  { email, userMetadata, identity }: NewUser,
): Promise<AuthError | null> {
  if (!settings.beforeUserCreated) return null
  const provider = identity?.provider ?? 'email'
  const event = {
    metadata: { uuid: randomUUID(), time: new Date().toISOString(), name: 'before-user-created' },
    user: {
      ...{ email, phone: '', aud: 'authenticated', role: '', is_anonymous: false, identities: [] },
      ...{ app_metadata: { provider, providers: [provider] }, user_metadata: userMetadata },
    },
  }
  const [answer] = await db.query<{ status: number | null; message: string | null }>(
    `select (hook.answer -> 'error' ->> 'http_code')::int as status, hook.answer -> 'error' ->> 'message' as message
     from (select ${settings.beforeUserCreated}($1::jsonb) as answer) as hook`,
    [JSON.stringify(event)],
  )
  if (answer?.message == null) return null
  return new AuthError((answer.status ?? 500) as ContentfulStatusCode, 'unknown', answer.message)
}

/** Creates the account. Returns undefined if the address is taken; throws a 500 if a trigger refuses the account. */
export async function signUpUser(tx: Transaction, person: NewUser): Promise<User | undefined> {
  try {
    return await createUser(tx, person)
  } catch (error) {
    // Class 22 means invalid data and is reported as such. Any other error, unless the database is unavailable, comes
    // from a trigger or constraint of the project.
    if (error instanceof DatabaseError && !error.code.startsWith('22') && !isUnavailable(error)) {
      throw unexpected('Database error saving new user', error)
    }
    throw error
  }
}

/**
 * Returns the account with this address: `found`, or a new one. Even if the account was found, a placeholder with an
 * impossible address is created and rolled back, so that neither timing nor the response (`standIn`) reveals whether
 * the account existed.
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
  // A concurrent request has created the account since the lookup.
  return findOrSignUp(tx, person, await findUserByEmail(tx, person.email))
}

/**
 * Returns the account with `email` in place of its own address, so that it looks like a new account that was just
 * mailed.
 */
function underName(account: User, email: string): User {
  const renamed = JSON.stringify(account).replaceAll(account.email ?? '', () => email)
  return { ...JSON.parse(renamed), confirmation_sent_at: account.created_at }
}

/**
 * Records the requested new address of an account, in place of an earlier one. Returns the addresses that must confirm:
 * the new one and, if the settings require it, the current one. The change takes effect once all of them have
 * confirmed. Earlier links become void unless `keepsLinks` is true.
 */
export async function awaitEmailChange(
  { settings }: AuthParts,
  tx: Transaction,
  account: Addressee,
  newEmail: string,
  keepsLinks: boolean,
): Promise<{ kind: TokenKind; to: string }[]> {
  await tx.query(
    'update auth.users set email_change = $2, email_change_sent_at = now(), updated_at = now() where id = $1',
    [account.id, newEmail],
  )
  if (!keepsLinks)
    await tx.query(
      `delete from auth.one_time_tokens where user_id = $1 and kind in ('email_change_current', 'email_change_new')`,
      [account.id],
    )
  const boxes: { kind: TokenKind; to: string }[] = [{ kind: 'email_change_new', to: newEmail }]
  if (settings.doubleConfirmChanges && account.email)
    boxes.push({ kind: 'email_change_current', to: account.email })
  return boxes
}

/** Records the requested new address, and mails a link and a code to each address that must confirm it. */
export async function mailEmailChange(
  parts: AuthParts,
  tx: Transaction,
  account: Addressee,
  { newEmail, redirectTo, challenge }: { newEmail: string; redirectTo: string; challenge: Challenge | null },
): Promise<void> {
  const { tokens, settings } = parts
  for (const { kind, to } of await awaitEmailChange(parts, tx, account, newEmail, false)) {
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
