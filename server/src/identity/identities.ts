// The identities of an account: its ways of signing in.
import type { Transaction } from '#db/database.ts'

export interface ExternalIdentity {
  provider: string
  providerId: string
  data: Record<string, unknown>
}

/** Returns the account of this identity, or undefined if nobody has signed in with it yet. */
export async function findIdentityOwner(
  tx: Transaction,
  { provider, providerId }: ExternalIdentity,
): Promise<string | undefined> {
  const [row] = await tx.query<{ user_id: string }>(
    'select user_id from auth.identities where provider = $1 and provider_id = $2',
    [provider, providerId],
  )
  return row?.user_id
}

export async function addIdentity(
  tx: Transaction,
  userId: string,
  identity: ExternalIdentity,
): Promise<void> {
  await tx.query(
    `insert into auth.identities (user_id, provider, provider_id, identity_data)
     values ($1, $2, $3, $4::jsonb)`,
    [userId, identity.provider, identity.providerId, JSON.stringify(identity.data)],
  )
}

export async function updateIdentity(tx: Transaction, identity: ExternalIdentity): Promise<void> {
  await tx.query(
    `update auth.identities set identity_data = $3::jsonb, updated_at = now()
     where provider = $1 and provider_id = $2`,
    [identity.provider, identity.providerId, JSON.stringify(identity.data)],
  )
}

/** Removes the e-mail identity of a person who signed up with the address but never proved that it is theirs. */
export async function dropEmailIdentity(tx: Transaction, userId: string): Promise<void> {
  await tx.query("delete from auth.identities where user_id = $1 and provider = 'email'", [userId])
}

/** Stores the list of the person's providers, oldest first, in the metadata that only the server may write. */
export async function listProviders(tx: Transaction, userId: string): Promise<void> {
  await tx.query(
    `update auth.users u set updated_at = now(), raw_app_meta_data = u.raw_app_meta_data
       || jsonb_build_object('provider', i.providers -> 0, 'providers', i.providers)
     from (
       select jsonb_agg(provider order by created_at) as providers
       from (
         select provider, min(created_at) as created_at from auth.identities where user_id = $1 group by provider
       ) each_once
     ) i
     where u.id = $1`,
    [userId],
  )
}

/** Serializes concurrent first sign-ins with one identity, by a lock that is held until the transaction ends. */
export async function lockIdentity(
  tx: Transaction,
  { provider, providerId }: ExternalIdentity,
): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 7331))', [`${provider}:${providerId}`])
}
