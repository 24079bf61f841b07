// Second factors: enrolment, challenges, verification, and the session level they give.
import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Queryable } from '#db/database.ts'
import { SESSION_COLUMNS, type Session, type SignInMethod } from './sessions.ts'
import type { Tokens } from './tokens.ts'

export type FactorType = 'totp' | 'recovery_code'

export interface Factor {
  id: string
  user_id: string
  friendly_name: string
  factor_type: FactorType
  status: 'unverified' | 'verified'
  secret: string | null
  last_used_step: number | null
  last_challenged_at: string | null
  created_at: string
  updated_at: string
}

/** The method that a session lists after a factor has raised it. */
const METHODS = { totp: 'totp', recovery_code: 'mfa/recovery_code' } as const

const UNFINISHED_SECONDS = 300
const SECRET_BYTES = 20

/** Stores a new authenticator app, and deletes abandoned enrolments. */
export async function addAuthenticator(
  db: Queryable,
  tokens: Tokens,
  { userId, name }: { userId: string; name: string },
): Promise<{ id: string; secret: string }> {
  await db.query(
    `delete from auth.mfa_factors where status = 'unverified' and last_challenged_at is null
     and created_at < now() - make_interval(secs => $1::float8)`,
    [String(UNFINISHED_SECONDS)],
  )
  const id = randomUUID()
  const secret = new Secret({ size: SECRET_BYTES }).base32
  await db.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret)
     values ($1, $2, $3, 'totp', 'unverified', $4)`,
    [id, userId, name, seal(tokens, id, secret)],
  )
  return { id, secret }
}

/** Returns the time step of this code, which is the current one or a neighbour, or null if the code is wrong. */
export function stepOf(tokens: Tokens, factor: Factor, code: string, now = Date.now()): number | null {
  const totp = new TOTP({ secret: Secret.fromBase32(unseal(tokens, factor.id, factor.secret ?? '')) })
  const delta = /^\d{6}$/.test(code) ? totp.validate({ token: code, timestamp: now, window: 1 }) : null
  return delta === null ? null : totp.counter({ timestamp: now }) + delta
}

/** Marks the step as used and the factor as verified. Returns false if this step or a later one was used before. */
export async function spendStep(db: Queryable, factor: Factor, step: number): Promise<boolean> {
  const rows = await db.query(
    `update auth.mfa_factors set last_used_step = $2, status = 'verified', updated_at = now()
     where id = $1 and coalesce(last_used_step < $2, true) returning 1`,
    [factor.id, String(step)],
  )
  return rows.length > 0
}

/** Returns the person's factor with this id, which must be a UUID. */
export async function findFactor(db: Queryable, userId: string, id: string): Promise<Factor | undefined> {
  const [row] = await db.query('select * from auth.mfa_factors where id = $1 and user_id = $2', [id, userId])
  return row as unknown as Factor | undefined
}

/** Raises the session to aal2. Earlier tokens of this session become invalid, and the person's sessions at aal1 end. */
export async function raiseSession(db: Queryable, sessionId: string, factor: Factor): Promise<Session> {
  const method: SignInMethod = METHODS[factor.factor_type]
  const [session] = await db.query(
    `update auth.sessions set aal = 'aal2', factor_id = $2, refresh_counter = refresh_counter + 1,
       refresh_floor = refresh_counter + 1, refreshed_at = clock_timestamp(), amr = jsonb_build_array(
         jsonb_build_object('method', $3::text, 'timestamp', floor(extract(epoch from clock_timestamp())))
       ) || (select coalesce(jsonb_agg(a), '[]') from jsonb_array_elements(amr) as a where a ->> 'method' <> $3)
     where id = $1 returning ${SESSION_COLUMNS}`,
    [sessionId, factor.id, method],
  )
  await db.query("delete from auth.sessions where user_id = $1 and aal = 'aal1'", [factor.user_id])
  await db.query("delete from auth.mfa_factors where user_id = $1 and status = 'unverified'", [
    factor.user_id,
  ])
  return session as unknown as Session
}

/** Deletes the factor; sessions raised by it fall back to aal1. */
export async function removeFactor(db: Queryable, factor: Pick<Factor, 'id' | 'factor_type'>): Promise<void> {
  await db.query(
    `update auth.sessions set aal = 'aal1', amr =
       (select coalesce(jsonb_agg(a), '[]') from jsonb_array_elements(amr) as a where a ->> 'method' <> $2)
     where factor_id = $1`,
    [factor.id, METHODS[factor.factor_type]],
  )
  await db.query('delete from auth.mfa_factors where id = $1', [factor.id])
}

const CODES = 10
const CODE_BYTES = 10

/** Creates ten codes, which replace earlier ones of the factor. Only their digests are stored. */
export async function writeRecoveryCodes(db: Queryable, tokens: Tokens, factorId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => new Secret({ size: CODE_BYTES }).base32.toLowerCase())
  await db.query('delete from auth.mfa_recovery_codes where factor_id = $1', [factorId])
  await db.query('update auth.mfa_factors set created_at = now(), updated_at = now() where id = $1', [
    factorId,
  ])
  await db.query(
    `insert into auth.mfa_recovery_codes (factor_id, code_hash) select $1, jsonb_array_elements_text($2::jsonb)`,
    [factorId, JSON.stringify(codes.map((code) => hashOf(tokens, factorId, code)))],
  )
  return codes
}

/** Uses up the code. Returns false if it is wrong or already used. Spaces and dashes are ignored. */
export async function spendRecoveryCode(
  db: Queryable,
  tokens: Tokens,
  factorId: string,
  given: string,
): Promise<boolean> {
  const code = given.replace(/[\s-]/g, '').toLowerCase()
  const rows = await db.query(
    `update auth.mfa_recovery_codes set consumed_at = now()
     where factor_id = $1 and code_hash = $2 and consumed_at is null returning 1`,
    [factorId, hashOf(tokens, factorId, code)],
  )
  return rows.length > 0
}

// 80 random bits need no slow hash, and computing the digest requires the server's secret.
const hashOf = (tokens: Tokens, factorId: string, code: string) =>
  tokens.digest('recovery-code', `${factorId}\n${code}`).toString('base64url')

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts with AES-256-GCM and a key derived from the project's secret, bound to the factor. Returns nonce, ciphertext
 * and tag.
 */
function seal(tokens: Tokens, factorId: string, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', tokens.digest('factor-secret', ''), nonce).setAAD(
    Buffer.from(factorId),
  )
  const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')
}

function unseal(tokens: Tokens, factorId: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv(
    'aes-256-gcm',
    tokens.digest('factor-secret', ''),
    bytes.subarray(0, NONCE_BYTES),
  )
    .setAAD(Buffer.from(factorId))
    .setAuthTag(bytes.subarray(-TAG_BYTES))
  return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}
