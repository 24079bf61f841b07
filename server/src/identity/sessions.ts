// Sessions: opened by a sign-in, continued by refreshing, ended by a sign-out or by reuse of a refresh token.
import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Queryable, Transaction } from '#db/database.ts'
import type { Tokens } from './tokens.ts'

export type SignInMethod = 'password' | 'otp' | 'oauth' | 'passkey' | 'totp' | 'mfa/recovery_code'

export interface Session {
  id: string
  user_id: string
  aal: 'aal1' | 'aal2'
  /** The methods of the sign-in, newest first; timestamps in seconds. */
  amr: { method: SignInMethod; timestamp: number }[]
  refresh_counter: number
}

/** The device and address of a sign-in. */
export interface Origin {
  userAgent: string | null
  address: string
}

export const SESSION_COLUMNS = 'id, user_id, aal, amr, refresh_counter'

export async function openSession(
  tx: Transaction,
  userId: string,
  method: SignInMethod,
  origin: Origin,
  provider = 'email',
): Promise<Session> {
  // Uses the database's clock, because the session's age is later measured with it.
  const [session] = await tx.query(
    `insert into auth.sessions (user_id, amr, user_agent, ip) values ($1, jsonb_build_array(jsonb_build_object(
       'method', $2::text, 'timestamp', floor(extract(epoch from clock_timestamp())))), $3, $4)
     returning ${SESSION_COLUMNS}`,
    [userId, method, origin.userAgent, origin.address],
  )
  await tx.query('update auth.users set last_sign_in_at = now(), updated_at = now() where id = $1', [userId])
  await tx.query(
    `update auth.identities set last_sign_in_at = now(), updated_at = now()
     where user_id = $1 and provider = $2`,
    [userId, provider],
  )
  return session as unknown as Session
}

/** An SQL condition that excludes sessions whose end has passed. */
const LIVE = 'coalesce(not_after > now(), true)'

/**
 * What decides which actions a session allows: its assurance level (aal), its sign-in methods (amr), and whether it is
 * less than a day old.
 */
export interface SessionSummary extends Pick<Session, 'id' | 'aal' | 'amr'> {
  recent: boolean
}

export async function findSession(
  db: Queryable,
  sessionId: string,
  userId: string,
): Promise<SessionSummary | undefined> {
  const [session] = await db.query(
    `select id, aal, amr, created_at > clock_timestamp() - interval '24 hours' as recent
     from auth.sessions where id = $1 and user_id = $2 and ${LIVE}`,
    [sessionId, userId],
  )
  return session as unknown as SessionSummary | undefined
}

/** True if the session is still valid and its person may use it. */
export async function isLive(db: Queryable, sessionId: string, userId: string): Promise<boolean> {
  if (!z.guid().safeParse(sessionId).success) return false
  const rows = await db.query(
    `select from auth.sessions as s join auth.users as u on u.id = s.user_id
     where s.id = $1 and u.id::text = $2 and ${LIVE}
       and u.deleted_at is null and coalesce(u.banned_until <= now(), true)`,
    [sessionId, userId],
  )
  return rows.length > 0
}

/** Locks the account until the transaction ends. Returns false if the session has ended. */
export async function holdSession(tx: Queryable, sessionId: string, userId: string): Promise<boolean> {
  await tx.query('select from auth.users where id = $1 for no key update', [userId])
  return (await tx.query(`select from auth.sessions where id = $1 and ${LIVE}`, [sessionId])).length > 0
}

export type Refreshed = { session: Session } | 'no session' | 'reused'

/**
 * Exchanges a refresh token for the next one. A used token returns the current one again in two cases: if it directly
 * precedes the current one (the response was lost), or within `reuseSeconds` of its own exchange (several tabs refresh
 * at the same time). Any other reuse means that two parties have the token, so the session ends, unless `endReused` is
 * off.
 */
export async function refreshSession(
  tx: Transaction,
  { sessionId, counter }: RefreshTicket,
  { reuseSeconds, endReused }: { reuseSeconds: number; endReused: boolean },
): Promise<Refreshed> {
  const [row] = await tx.query<{ refresh_counter: number; refresh_floor: number; recent: number }>(
    `select ${SESSION_COLUMNS}, refresh_floor, (
       select count(*)::int from unnest(exchanged_at) as at where at > clock_timestamp() - make_interval(secs => $2::float8)
     ) as recent
     from auth.sessions where id = $1 and ${LIVE} for update`,
    [sessionId, String(reuseSeconds)],
  )
  if (!row) return 'no session'
  const session = row as unknown as Session
  const behind = row.refresh_counter - counter
  if (behind === 0) {
    const [next] = await tx.query(
      `update auth.sessions set refresh_counter = refresh_counter + 1, refreshed_at = clock_timestamp(),
         exchanged_at = array(select at from unnest(exchanged_at) as at
           where at > clock_timestamp() - make_interval(secs => $2::float8)) || clock_timestamp()
       where id = $1 returning ${SESSION_COLUMNS}`,
      [sessionId, String(reuseSeconds)],
    )
    return { session: next as unknown as Session }
  }
  const isForgiven = behind === 1 || (behind > 1 && behind <= row.recent)
  if (isForgiven && counter >= row.refresh_floor) return { session }
  if (endReused) await endSession(tx, sessionId)
  return 'reused'
}

export async function endSession(db: Queryable, sessionId: string): Promise<void> {
  await db.query('delete from auth.sessions where id = $1', [sessionId])
}

/** Ends every session of the person except `keep`. */
export async function endSessions(db: Queryable, userId: string, keep: string | null = null): Promise<void> {
  await db.query('delete from auth.sessions where user_id = $1 and id is distinct from $2', [userId, keep])
}

// A refresh token is computed, not stored: it consists of session, counter, and a signature with the project's secret.
// A client that asks twice therefore gets the same token, although the database does not contain it.
const SESSION_BYTES = 16
const COUNTER_BYTES = 4
const SEAL_BYTES = 16
const TOKEN = /^[A-Za-z0-9_-]{48}$/

interface RefreshTicket {
  sessionId: string
  counter: number
}

export function writeRefreshToken(tokens: Tokens, ticket: RefreshTicket): string {
  const body = Buffer.alloc(SESSION_BYTES + COUNTER_BYTES)
  body.write(ticket.sessionId.replaceAll('-', ''), 'hex')
  body.writeUInt32BE(ticket.counter, SESSION_BYTES)
  return Buffer.concat([body, seal(tokens, body)]).toString('base64url')
}

/** Returns the session and counter of a token, or null if this server did not issue it. */
export function readRefreshToken(tokens: Tokens, token: string): RefreshTicket | null {
  if (!TOKEN.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const body = bytes.subarray(0, SESSION_BYTES + COUNTER_BYTES)
  if (!timingSafeEqual(bytes.subarray(body.length), seal(tokens, body))) return null
  const hex = body.toString('hex', 0, SESSION_BYTES)
  return {
    sessionId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    counter: body.readUInt32BE(SESSION_BYTES),
  }
}

const seal = (tokens: Tokens, body: Buffer) =>
  tokens.digest('refresh-token', body.toString('hex')).subarray(0, SEAL_BYTES)
