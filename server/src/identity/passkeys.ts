// Stores passkeys and their challenges as rows of schema auth.
import type { Queryable, Transaction } from '#db/database.ts'

const CHALLENGE_SECONDS = 300
const MOST = 10

type ChallengeType = 'registration' | 'authentication'

/** The person's id; null for a sign-in, in which the person is unknown until the response arrives. */
type Owner = string | null

/** Stores a challenge. `expires_at` is in Unix seconds. */
export async function openChallenge(
  db: Queryable,
  { type, owner, challenge }: { type: ChallengeType; owner: Owner; challenge: string },
): Promise<{ id: string; expires_at: number }> {
  const [row] = await db.query<{ id: string; expires_at: number }>(
    `insert into auth.webauthn_challenges (user_id, challenge_type, session_data, expires_at)
     values ($1, $2, jsonb_build_object('challenge', $3::text), now() + make_interval(secs => $4::float8))
     returning id, floor(extract(epoch from expires_at))::float8 as expires_at`,
    [owner, type, challenge, String(CHALLENGE_SECONDS)],
  )
  if (!row) throw new Error('The challenge was not written')
  return row
}

/** Consumes a challenge. Returns undefined if it has been consumed before. */
export async function spendChallenge(
  db: Queryable,
  { id, type, owner }: { id: string; type: ChallengeType; owner: Owner },
): Promise<{ challenge: string; expired: boolean } | undefined> {
  const [row] = await db.query<{ challenge: string; expired: boolean }>(
    `delete from auth.webauthn_challenges
     where id = $1 and challenge_type = $2 and user_id is not distinct from $3
     returning session_data ->> 'challenge' as challenge,
       clock_timestamp() not between created_at and expires_at as expired`,
    [id, type, owner],
  )
  return row
}

/** The data of a new passkey. Ids are base64url, as browsers write them. */
export interface NewPasskey {
  credentialId: string
  publicKey: Uint8Array
  aaguid: string
  counter: number
  transports: string[]
  backupEligible: boolean
  backedUp: boolean
  name: string
}

export interface PasskeySummary {
  id: string
  friendly_name?: string
  created_at: string
  last_used_at?: string
}

const SUMMARY = `jsonb_strip_nulls(jsonb_build_object('id', id, 'friendly_name', nullif(friendly_name, ''),
  'created_at', created_at, 'last_used_at', last_used_at)) as summary`
type SummaryRow = { summary: PasskeySummary }

/** Returns the person's passkeys, oldest first. */
export async function listPasskeys(db: Queryable, userId: string): Promise<PasskeySummary[]> {
  const rows = await db.query<SummaryRow>(
    `select ${SUMMARY} from auth.webauthn_credentials where user_id = $1 order by created_at, id`,
    [userId],
  )
  return rows.map(({ summary }) => summary)
}

/** Returns the ids of the person's passkeys, so that an authenticator that has one does not create a second. */
export async function credentialIdsOf(db: Queryable, userId: string): Promise<string[]> {
  const rows = await db.query<{ credential_id: string }>(
    `select encode(credential_id, 'hex') as credential_id from auth.webauthn_credentials where user_id = $1`,
    [userId],
  )
  return rows.map((row) => Buffer.from(row.credential_id, 'hex').toString('base64url'))
}

export const isFull = (passkeys: readonly unknown[]) => passkeys.length >= MOST

/** Stores a passkey. Callers lock the account first, so that concurrent requests cannot exceed the limit of ten. */
export async function addPasskey(
  tx: Transaction,
  userId: string,
  made: NewPasskey,
): Promise<PasskeySummary | 'too many' | 'exists'> {
  if (isFull(await listPasskeys(tx, userId))) return 'too many'
  const [row] = await tx.query<SummaryRow>(
    `insert into auth.webauthn_credentials (user_id, credential_id, public_key, attestation_type, aaguid, sign_count,
       transports, backup_eligible, backed_up, friendly_name)
     values ($1, decode($2, 'hex'), decode($3, 'hex'), 'none', $4, $5, $6::jsonb, $7, $8, $9)
     on conflict (credential_id) do nothing returning ${SUMMARY}`,
    [
      userId,
      hex(made.credentialId),
      Buffer.from(made.publicKey).toString('hex'),
      made.aaguid,
      String(made.counter),
      JSON.stringify(made.transports),
      String(made.backupEligible),
      String(made.backedUp),
      made.name,
    ],
  )
  return row?.summary ?? 'exists'
}

export interface Passkey {
  id: string
  user_id: string
  publicKey: Uint8Array<ArrayBuffer>
  counter: number
}

export async function findPasskey(db: Queryable, credentialId: string): Promise<Passkey | undefined> {
  const [row] = await db.query<Omit<Passkey, 'publicKey'> & { public_key: string }>(
    `select id, user_id, encode(public_key, 'hex') as public_key, sign_count as counter
     from auth.webauthn_credentials where credential_id = decode($1, 'hex')`,
    [hex(credentialId)],
  )
  if (!row) return undefined
  const { public_key: publicKey, ...passkey } = row
  return { ...passkey, publicKey: Uint8Array.from(Buffer.from(publicKey, 'hex')) }
}

/** Stores the new counter. Returns false if the old one was used meanwhile: two responses with it mean a cloned key. */
export async function countUse(
  db: Queryable,
  { id, counter: before }: Passkey,
  { counter, backedUp }: { counter: number; backedUp: boolean },
): Promise<boolean> {
  const rows = await db.query(
    `update auth.webauthn_credentials
     set sign_count = $3, backed_up = $4, last_used_at = clock_timestamp(), updated_at = clock_timestamp()
     where id = $1 and sign_count = $2 returning 1`,
    [id, String(before), String(counter), String(backedUp)],
  )
  return rows.length > 0
}

/** Renames a passkey. Returns undefined if the person has no such passkey. `id` must be a UUID. */
export async function renamePasskey(
  db: Queryable,
  { id, userId, name }: { id: string; userId: string; name: string },
): Promise<PasskeySummary | undefined> {
  const [row] = await db.query<SummaryRow>(
    `update auth.webauthn_credentials set friendly_name = $3, updated_at = now()
     where id = $1 and user_id = $2 returning ${SUMMARY}`,
    [id, userId, name],
  )
  return row?.summary
}

/** Removes a passkey. Returns false if the person has no such passkey. `id` must be a UUID. */
export async function removePasskey(
  db: Queryable,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const rows = await db.query(
    'delete from auth.webauthn_credentials where id = $1 and user_id = $2 returning 1',
    [id, userId],
  )
  return rows.length > 0
}

const hex = (base64url: string) => Buffer.from(base64url, 'base64url').toString('hex')
