// Inserts a new account together with its first identity.
import { randomUUID } from 'node:crypto'
import type { Transaction } from '#db/database.ts'
import { addIdentity, type ExternalIdentity } from './identities.ts'
import { reloadUser, type User } from './users.ts'

export interface NewUser {
  id?: string
  email: string
  /** Null for an account without a password. */
  passwordHash: string | null
  userMetadata: Record<string, unknown>
  /**
   * True for an account created by an administrator, which gets only the given metadata until its address is proven.
   */
  byAdmin?: boolean
  appMetadata?: Record<string, unknown>
  role?: string
  confirmed?: boolean
  /** The identity at a provider; without one, the e-mail address itself is the identity. */
  identity?: ExternalIdentity
}

/** Creates the account. Returns undefined if the address is taken. The project's triggers may refuse it. */
export async function createUser(tx: Transaction, person: NewUser): Promise<User | undefined> {
  const id = person.id ?? randomUUID()
  const confirmed = person.confirmed ?? false
  const { provider, providerId, data } = person.identity ?? {
    provider: 'email',
    providerId: id,
    data: {
      ...(!person.byAdmin && person.userMetadata),
      sub: id,
      email: person.email,
      email_verified: confirmed,
      phone_verified: false,
    },
  }
  const userMetadata = person.byAdmin
    ? { ...person.userMetadata, ...(confirmed && { email_verified: true }) }
    : data
  const appMetadata = { provider, providers: [provider], ...person.appMetadata }
  const inserted = await tx.query(
    `insert into auth.users (id, email, encrypted_password, raw_user_meta_data, raw_app_meta_data, role,
       email_confirmed_at)
     values ($1, $2, $3, $4::jsonb, $5::jsonb, $6, case when $7::boolean then now() end)
     on conflict (lower(email)) do nothing returning id`,
    [
      id,
      person.email,
      person.passwordHash,
      JSON.stringify(userMetadata),
      JSON.stringify(appMetadata),
      person.role ?? 'authenticated',
      String(confirmed),
    ],
  )
  if (inserted.length === 0) return undefined
  await addIdentity(tx, id, { provider, providerId, data })
  return reloadUser(tx, id)
}
