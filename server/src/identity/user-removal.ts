// Shutting people out: for a time, or for good.
import type { Transaction } from '#db/database.ts'
import { endSessions } from './sessions.ts'

/** Shuts the person out for so many seconds from now; 0 lets them in again. */
export async function banUser(tx: Transaction, userId: string, seconds: number): Promise<void> {
  await tx.query(
    `update auth.users set updated_at = now(),
       banned_until = case when $2::float8 > 0 then now() + make_interval(secs => $2::float8) end
     where id = $1`,
    [userId, String(seconds)],
  )
}

/** Removes the account and everything that refers to it. */
export async function deleteUser(tx: Transaction, userId: string): Promise<void> {
  await tx.query('delete from auth.users where id = $1', [userId])
}

/** Keeps the row, for records that refer to it, and nothing by which the person could be known or sign in. */
export async function softDeleteUser(tx: Transaction, userId: string): Promise<void> {
  await tx.query('delete from auth.identities where user_id = $1', [userId])
  await tx.query('delete from auth.one_time_tokens where user_id = $1', [userId])
  await endSessions(tx, userId)
  await tx.query(
    `update auth.users set deleted_at = now(), updated_at = now(), email = null, email_change = null,
       encrypted_password = null, raw_user_meta_data = '{}', raw_app_meta_data = '{}'
     where id = $1`,
    [userId],
  )
}
