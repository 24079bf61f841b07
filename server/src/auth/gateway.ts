// Authenticates requests: by project key and, where an endpoint requires it, by a person's or the service role's token.
import type { Context, MiddlewareHandler } from 'hono'
import { z } from 'zod'
import type { Transaction } from '#db/database.ts'
import { type Identified, Refused } from '#identity/caller.ts'
import { findSession, type SessionSummary } from '#identity/sessions.ts'
import { findUserById, isBanned, reloadUser, type User } from '#identity/users.ts'
import { AuthError, badJwt, banned, noBearer, noSession, notAdmin } from './errors.ts'
import type { AuthParts } from './parts.ts'

export const isUuid = (text: string): boolean => z.regexes.guid.test(text)

/** Requires a valid project key, but no valid token: most calls carry none, or an expired one that does not matter. */
export function requireKey({ identify }: AuthParts): MiddlewareHandler {
  return async (context, next) => {
    await identify(context.req.raw).catch((error: unknown) => {
      if (!(error instanceof Refused && error.reason === 'bad token')) throw error
    })
    await next()
  }
}

export interface SignedIn {
  user: User
  /** The claims of the person's token, as JSON. */
  claims: string
  /** Null if the token was not issued for a session. */
  session: SessionSummary | null
}

/** Returns the person whose token the request carries. Throws 401 or 403 if there is no valid token. */
export async function requireUser({ db, identify }: AuthParts, context: Context): Promise<SignedIn> {
  const { parsed, claims } = await readToken(identify, context)
  if (!context.req.header('authorization')) throw noBearer()
  if (!parsed.sub) throw badJwt('invalid claim: missing sub claim')
  if (!isUuid(parsed.sub)) throw badJwt('invalid claim: sub claim must be a UUID')
  const user = await findUserById(db, parsed.sub)
  if (!user) throw new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist')
  if (isBanned(user)) throw banned(403)
  const sessionId = parsed.session_id
  if (sessionId === undefined) return { user, claims, session: null }
  if (!isUuid(sessionId)) throw badJwt('invalid claim: session_id claim must be a UUID')
  const session = await findSession(db, sessionId, user.id)
  if (!session) throw noSession()
  return { user, claims, session }
}

/**
 * Runs `work` on the person's own account in a transaction. The account's row is locked and then read again, so that
 * concurrent requests cannot exceed a limit that `work` checks by counting. The person's claims are set, so that the
 * project's triggers know the caller and can refuse with SQLSTATE PTxxx.
 */
export function forThemselves<T>(
  { db }: AuthParts,
  { user, claims }: SignedIn,
  work: (tx: Transaction, user: User) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.query(`select set_config('request.jwt.claims', $1, true)`, [claims])
    await tx.query('select from auth.users where id = $1 for no key update', [user.id])
    return work(tx, await reloadUser(tx, user.id))
  })
}

/** Allows only the service key or a token of the service role. */
export function requireService({ identify }: AuthParts): MiddlewareHandler {
  return async (context, next) => {
    const { role } = await readToken(identify, context)
    if (role !== 'service_role') throw notAdmin()
    await next()
  }
}

async function readToken(identify: AuthParts['identify'], context: Context): Promise<Identified> {
  const header = context.req.header('authorization')
  if (header && !/^Bearer\s+\S/i.test(header)) throw noBearer()
  return identify(context.req.raw)
}
