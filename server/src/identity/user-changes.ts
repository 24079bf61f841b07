// Changes to an account, including its deletion.
import type { Transaction } from '#db/database.ts'
import { endSessions } from './sessions.ts'

/** Marks the address as proven, after a mail has reached its owner. */
export async function confirmEmail(tx: Transaction, userId: string): Promise<void> {
  await tx.query(
    `update auth.users set email_confirmed_at = coalesce(email_confirmed_at, now()), updated_at = now(),
       raw_user_meta_data = raw_user_meta_data || '{"email_verified": true}'
     where id = $1`,
    [userId],
  )
  await tx.query(
    `update auth.identities set identity_data = identity_data || '{"email_verified": true}', updated_at = now()
     where user_id = $1 and provider = 'email'`,
    [userId],
  )
  await tx.query("delete from auth.one_time_tokens where user_id = $1 and kind in ('signup', 'invite')", [
    userId,
  ])
}

/** Replaces the address with another proven one. Raises 23505 if another account has it. */
export async function replaceEmail(tx: Transaction, userId: string, email: string): Promise<void> {
  const verified = JSON.stringify({ email, email_verified: true })
  await tx.query(
    `update auth.users set email = $2, email_change = null, email_change_sent_at = null, updated_at = now(),
       email_confirmed_at = coalesce(email_confirmed_at, now()),
       raw_user_meta_data = raw_user_meta_data || $3::jsonb
     where id = $1`,
    [userId, email, verified],
  )
  await tx.query(
    `insert into auth.identities (user_id, provider, provider_id, identity_data)
     values ($1::uuid, 'email', $1::uuid::text, jsonb_build_object('sub', $1::text, 'phone_verified', false) || $2::jsonb)
     on conflict (provider, provider_id)
     do update set identity_data = auth.identities.identity_data || $2::jsonb, updated_at = now()`,
    [userId, verified],
  )
  // Links and codes sent to the old address must not open the account under the new one.
  await tx.query('delete from auth.one_time_tokens where user_id = $1', [userId])
}

/** Sets the password; null removes it. Earlier mailed links for a new password or a sign-in become invalid. */
export async function setPassword(
  tx: Transaction,
  userId: string,
  passwordHash: string | null,
): Promise<void> {
  await tx.query('update auth.users set encrypted_password = $2, updated_at = now() where id = $1', [
    userId,
    passwordHash,
  ])
  await tx.query('delete from auth.one_time_tokens where user_id = $1', [userId])
}

/** Merges values into the metadata that a person (`user`) or only the server (`app`) may write; null removes a key. */
export async function mergeMetadata(
  tx: Transaction,
  userId: string,
  whose: 'user' | 'app',
  data: Record<string, unknown>,
): Promise<void> {
  const column = whose === 'user' ? 'raw_user_meta_data' : 'raw_app_meta_data'
  await tx.query(
    `update auth.users set updated_at = now(), ${column} = (${column} || $2::jsonb) - array(
       select key from jsonb_each($2::jsonb) where value = 'null'::jsonb)
     where id = $1`,
    [userId, JSON.stringify(data)],
  )
}

/** Replaces all metadata that the person may write. */
export async function replaceUserMetadata(
  tx: Transaction,
  userId: string,
  data: Record<string, unknown>,
): Promise<void> {
  await tx.query('update auth.users set raw_user_meta_data = $2::jsonb, updated_at = now() where id = $1', [
    userId,
    JSON.stringify(data),
  ])
}

/** Bans the person for this many seconds from now; 0 lifts the ban. */
export async function banUser(tx: Transaction, userId: string, seconds: number): Promise<void> {
  await tx.query(
    `update auth.users set updated_at = now(),
       banned_until = case when $2::float8 > 0 then now() + make_interval(secs => $2::float8) end
     where id = $1`,
    [userId, String(seconds)],
  )
}

/** Deletes the account and everything that refers to it. */
export async function deleteUser(tx: Transaction, userId: string): Promise<void> {
  await tx.query('delete from auth.users where id = $1', [userId])
}

/**
 * Deletes an account but keeps its row for records that refer to it, without personal data and without a way to sign
 * in.
 */
export async function softDeleteUser(tx: Transaction, userId: string): Promise<void> {
  for (const table of ['identities', 'one_time_tokens', 'mfa_factors', 'webauthn_credentials'])
    await tx.query(`delete from auth.${table} where user_id = $1`, [userId])
  await endSessions(tx, userId)
  await tx.query(
    `update auth.users set deleted_at = now(), updated_at = now(), email = null, email_change = null,
       encrypted_password = null, raw_user_meta_data = '{}', raw_app_meta_data = '{}'
     where id = $1`,
    [userId],
  )
}
