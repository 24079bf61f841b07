// Signs and verifies the JWTs that identify a caller.
import { createHmac, type webcrypto } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'

export interface Claims extends JWTPayload {
  role: string
  session_id?: string
  email?: string
}

/** Thrown for a rejected token; `message` may be shown to the caller. */
export class InvalidToken extends Error {
  readonly expired: boolean
  constructor(message: string, expired = false) {
    super(message)
    this.name = 'InvalidToken'
    this.expired = expired
  }
}

export interface Tokens {
  /** Returns a token with these claims, valid for `seconds`. */
  sign(claims: Record<string, unknown>, seconds: number): Promise<string>
  /** Returns the claims of a token that this server signed. Throws InvalidToken for any other. */
  verify(token: string): Promise<Claims>
  /** Returns 32 bytes derived from `text` and the project's secret; each purpose has its own. */
  digest(purpose: string, text: string): Buffer
}

const REMEMBERED = 5_000
// PostgREST tolerates this much clock skew.
const LEEWAY_SECONDS = 30

export function createTokens(secret: string): Tokens {
  const bytes = new TextEncoder().encode(secret)
  // Imported once: given raw bytes, the library would import the key for each token.
  const key = crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ])
  // Verified tokens are cached, since verifying would be the most expensive part of a small read.
  const verified = new Map<string, Claims>()
  return {
    sign: async (claims, seconds) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuedAt()
        .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
        .sign(await key),
    verify: async (token) => {
      const known = verified.get(token)
      if (known) {
        if (typeof known.exp === 'number' && known.exp + LEEWAY_SECONDS > Date.now() / 1000) return known
        verified.delete(token)
      }
      const claims = await check(token, await key)
      if (verified.size >= REMEMBERED) verified.delete(verified.keys().next().value as string)
      verified.set(token, claims)
      return claims
    },
    // The line break keeps these inputs apart from those of JWT signatures, which contain none.
    digest: (purpose, text) => createHmac('sha256', bytes).update(`${purpose}\n${text}`).digest(),
  }
}

async function check(token: string, key: webcrypto.CryptoKey): Promise<Claims> {
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], clockTolerance: LEEWAY_SECONDS })
    if (typeof payload.role !== 'string') throw new InvalidToken('invalid claim: missing role claim')
    if (typeof payload.exp !== 'number') throw new InvalidToken('invalid claim: missing exp claim')
    return payload as Claims
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new InvalidToken('JWT expired', true)
    if (error instanceof errors.JOSEError) throw new InvalidToken('JWT could not be verified')
    throw error
  }
}
