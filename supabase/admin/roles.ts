// Grants and revokes staff roles on the command line, for example to create the first super-admin.
import type { Database } from '@potluck/server/db/database.ts'
import { Refusal } from './refusal.ts'

export async function grant(db: Database, email: string, role: string): Promise<string> {
  const userId = await findAccount(db, email)
  const known = await db.query<{ name: string }>('select name from public.system_roles order by name')
  if (!known.some(({ name }) => name === role)) {
    throw new Refusal(`There is no role "${role}". There are: ${known.map(({ name }) => name).join(', ')}.`)
  }
  await db.transaction(async (tx) => {
    await tx.query('select private.ensure_profile($1)', [userId])
    await tx.query(
      `insert into public.user_roles (user_id, role) values ($1, $2)
       on conflict (user_id) do update set role = excluded.role, granted_by = null`,
      [userId, role],
    )
  })
  return `${email} is now ${role}.`
}

export async function revoke(db: Database, email: string): Promise<string> {
  const userId = await findAccount(db, email)
  const gone = await db.query<{ role: string }>(
    'delete from public.user_roles where user_id = $1 returning role',
    [userId],
  )
  const [row] = gone
  return row ? `${email} is no longer ${row.role}.` : `${email} has no role.`
}

export async function list(db: Database): Promise<string> {
  const rows = await db.query<{ email: string; role: string }>(
    `select coalesce(u.email, 'an account that has ended') as email, r.role
     from public.user_roles as r join auth.users as u on u.id = r.user_id order by r.role desc, u.email`,
  )
  return rows.map(({ email, role }) => `${role}  ${email}`).join('\n') || 'Nobody has a role.'
}

/**
 * Returns the id of the confirmed account with an email address. An unconfirmed account may have been created by a
 * person who does not own the address.
 */
async function findAccount(db: Database, email: string): Promise<string> {
  const [account] = await db.query<{ id: string; confirmed: boolean }>(
    `select id, email_confirmed_at is not null as confirmed from auth.users
     where lower(email) = lower($1) and deleted_at is null`,
    [email],
  )
  if (!account) throw new Refusal(`Nobody has an account with ${email}. Sign up with it first.`)
  if (!account.confirmed) throw new Refusal(`${email} is not confirmed yet. Open the link in the mail first.`)
  return account.id
}
