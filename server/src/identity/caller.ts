// Determines the caller of a request from its key and bearer token, as Supabase's gateway does.
import type { Caller } from '../db/as-caller.ts'
import { type Claims, InvalidToken, type Tokens } from './tokens.ts'

/** The project's two keys, each as a legacy JWT and as an opaque key that stands for it. */
export interface ProjectKeys {
  anon: string
  service: string
  publishable: string
  secret: string
}

export class Refused extends Error {
  readonly reason: 'no key' | 'bad key' | 'bad token'
  readonly expired: boolean
  constructor(reason: Refused['reason'], message: string, expired = false) {
    super(message)
    this.name = 'Refused'
    this.reason = reason
    this.expired = expired
  }
}

export interface Identified extends Caller {
  token: string
  parsed: Claims
}

export type Identify = (request: Request) => Promise<Identified>

export const API_ROLES = new Set(['anon', 'authenticated', 'service_role'])

/**
 * Returns a function that identifies a request's caller by `apikey` (header or query) and `Authorization`, or throws
 * Refused.
 */
export function createIdentify(tokens: Tokens, keys: ProjectKeys): Identify {
  const written = new WeakMap<Claims, string>()
  return async (request) => {
    const key = request.headers.get('apikey') ?? new URL(request.url).searchParams.get('apikey')
    if (!key) throw new Refused('no key', 'No API key found in request')
    const keyToken = await keyAsToken(key)
    const bearer = /^Bearer\s+(.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    const token = bearer && !bearer.startsWith('sb_') ? bearer : keyToken
    const parsed = await tokens.verify(token).catch((error: unknown) => {
      if (error instanceof InvalidToken) throw new Refused('bad token', error.message, error.expired)
      throw error
    })
    if (!API_ROLES.has(parsed.role)) throw new Refused('bad token', `role "${parsed.role}" does not exist`)
    const claims = written.get(parsed) ?? JSON.stringify(parsed)
    written.set(parsed, claims)
    return { role: parsed.role, claims, token, parsed }
  }

  async function keyAsToken(key: string): Promise<string> {
    if (key === keys.publishable || key === keys.anon) return keys.anon
    if (key === keys.secret || key === keys.service) return keys.service
    throw new Refused('bad key', 'Invalid API key')
  }
}
