// A channel's rights and their expiry, derived from a key or token.
import { decodeJwt } from 'jose'
import { asCaller, type Caller } from '#db/as-caller.ts'
import { type Database, DatabaseError, isUnavailable } from '#db/database.ts'
import { API_ROLES } from '#identity/caller.ts'
import { isLive } from '#identity/sessions.ts'
import { type Claims, InvalidToken, type Tokens } from '#identity/tokens.ts'
import type { Catalogue } from './catalogue.ts'

export interface Credentials extends Caller {
  token: string
  /** Unix seconds. */
  expiresAt: number
  subject: string | undefined
  sessionId: string | undefined
  /** The person's id; undefined for a stranger, who sends only the public key. */
  person: string | undefined
  /** A text that is equal for tokens that policies cannot distinguish. */
  rights: string
}

/** Thrown for an invalid token or request; `message` is sent to the client. */
export class JoinRefused extends Error {}

/** Parses a client's access token. Returns undefined if the client keeps its present rights. Throws JoinRefused. */
export async function readToken(tokens: Tokens, token: unknown): Promise<Credentials | undefined> {
  // Opaque keys are not tokens: the client keeps the rights of the key with which it connected.
  if (typeof token !== 'string' || token === '' || token.startsWith('sb_')) return undefined
  try {
    return toCredentials(token, await tokens.verify(token))
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error
    throw new JoinRefused(
      error.expired
        ? `InvalidJWTToken: ${expiredMessage(expiryOf(token))}`
        : `JwtSignatureError: ${error.message}`,
    )
  }
}

export const SESSION_ENDED = 'Session from session_id claim in JWT does not exist'

/**
 * Refuses a token that has outlived its session, and callers that the project's pre-request function refuses. Throws
 * JoinRefused.
 */
export async function requireAdmission(
  { db, catalogue }: { db: Database; catalogue: Pick<Catalogue, 'preRequest'> },
  credentials: Credentials,
): Promise<void> {
  const { sessionId, subject = '' } = credentials
  if (sessionId !== undefined && !(await isLive(db, sessionId, subject)))
    throw new JoinRefused(`InvalidJWTToken: ${SESSION_ENDED}`)
  const preRequest = catalogue.preRequest()
  if (preRequest === undefined) return
  await asCaller(db, credentials, [{ text: `select ${preRequest}()` }]).catch((error: unknown) => {
    if (!(error instanceof DatabaseError) || isUnavailable(error)) throw error
    throw new JoinRefused(`Unauthorized: ${error.message}`)
  })
}

// Credentials by verified claims, which all channels of a person share.
const known = new WeakMap<Claims, Credentials>()

/** Returns the credentials of verified claims. Throws JoinRefused if the API does not have their role. */
export function toCredentials(token: string, claims: Claims): Credentials {
  if (!API_ROLES.has(claims.role))
    throw new JoinRefused(`InvalidJWTToken: role "${claims.role}" does not exist`)
  const credentials = known.get(claims) ?? {
    role: claims.role,
    claims: JSON.stringify(claims),
    token,
    expiresAt: claims.exp ?? 0,
    subject: claims.sub,
    sessionId: claims.session_id,
    person: claims.sub ?? (claims.role === 'anon' ? undefined : claims.role),
    rights: JSON.stringify(withoutOccasion(claims)),
  }
  known.set(claims, credentials)
  return credentials
}

/** Returns the claims about the person, without those about this token and its sign-in. */
function withoutOccasion({ amr, ...claims }: Claims): object {
  const methods = Array.isArray(amr) ? amr.map((one) => ({ ...one, timestamp: undefined })) : amr
  const occasion = { iat: undefined, exp: undefined, nbf: undefined, jti: undefined, session_id: undefined }
  return { ...claims, ...occasion, amr: methods }
}

/** Returns Supabase's message for an expired token; `expiresAt` is in Unix seconds. */
export function expiredMessage(expiresAt: number): string {
  return `Token has expired ${Math.max(0, Math.floor(Date.now() / 1000 - expiresAt))} seconds ago`
}

// Called only for expired tokens with a valid signature.
const expiryOf = (token: string) => decodeJwt(token).exp ?? 0
