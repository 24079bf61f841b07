// Reads accounts and their identities from schema auth.
import { randomUUID } from 'node:crypto'
import type { Queryable } from '#db/database.ts'
import type { Factor } from './factors.ts'

export interface Identity {
  id: string
  user_id: string
  provider: string
  provider_id: string
  identity_data: Record<string, unknown>
  email: string | null
  last_sign_in_at: string | null
  created_at: string
  updated_at: string
}

/** A row of auth.users as Postgres writes it in JSON, with its identities. */
export interface User {
  id: string
  aud: string | null
  role: string | null
  email: string | null
  encrypted_password: string | null
  email_confirmed_at: string | null
  invited_at: string | null
  confirmation_sent_at: string | null
  recovery_sent_at: string | null
  reauthentication_sent_at: string | null
  email_change: string | null
  email_change_sent_at: string | null
  last_sign_in_at: string | null
  raw_app_meta_data: Record<string, unknown>
  raw_user_meta_data: Record<string, unknown>
  banned_until: string | null
  deleted_at: string | null
  is_anonymous: boolean
  created_at: string
  updated_at: string
  identities: Identity[]
  factors: Factor[]
}

/** The fields needed for a mail to an account. */
export type Addressee = Pick<User, 'id' | 'email' | 'raw_user_meta_data'>

/** A placeholder for an address without an account: statements on it match no rows. */
export const placeholderFor = (email: string): Addressee => ({
  id: randomUUID(),
  email,
  raw_user_meta_data: {},
})

/** SQL for the column `account`, in a query over auth.users u. */
export const ACCOUNT = `to_jsonb(u) || jsonb_build_object('identities', (
  select coalesce(jsonb_agg(to_jsonb(i) order by i.created_at), '[]')
  from auth.identities i where i.user_id = u.id), 'factors', (
  select coalesce(jsonb_agg(to_jsonb(f) order by f.created_at), '[]')
  from auth.mfa_factors f where f.user_id = u.id)) as account`

/** Finds the account of a lower-cased address, unless it is deleted. */
export const findUserByEmail = (db: Queryable, email: string): Promise<User | undefined> =>
  findUser(db, 'lower(u.email)', email)

/** Finds the account with this id, which must be a UUID, unless it is deleted. */
export const findUserById = (db: Queryable, id: string): Promise<User | undefined> => findUser(db, 'u.id', id)

async function findUser(db: Queryable, what: string, value: string): Promise<User | undefined> {
  const text = `select ${ACCOUNT} from auth.users u where ${what} = $1 and u.deleted_at is null`
  const [row] = await db.query<{ account: User }>(text, [value])
  return row?.account
}

/** Locks the account until the transaction ends. Returns false if its password has changed. */
export async function holdPassword(
  tx: Queryable,
  { id, encrypted_password }: Pick<User, 'id' | 'encrypted_password'>,
): Promise<boolean> {
  const held = await tx.query(
    'select from auth.users where id = $1 and encrypted_password is not distinct from $2 for no key update',
    [id, encrypted_password],
  )
  return held.length > 0
}

/** Reads an account again after the transaction has changed it. */
export async function reloadUser(db: Queryable, id: string): Promise<User> {
  const user = await findUserById(db, id)
  if (!user) throw new Error('The account vanished within its own transaction')
  return user
}

export const isBanned = (user: User): boolean =>
  user.banned_until !== null && Date.parse(user.banned_until) > Date.now()
