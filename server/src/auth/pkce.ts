// Proof Key for Code Exchange (PKCE), for clients that want a code instead of tokens. The client sends a challenge,
// receives a code, and exchanges the code together with the verifier that matches the challenge.
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Queryable, Transaction } from '#db/database.ts'
import type { SignInMethod } from '#identity/sessions.ts'
import { AuthError, invalid } from './errors.ts'

export interface Challenge {
  challenge: string
  method: 's256' | 'plain'
}

const SPELLING = /^[A-Za-z0-9._~-]{43,128}$/

/** Returns the client's challenge, or null if the client expects tokens. Throws 400 if the challenge is invalid. */
export function readChallenge(given: {
  code_challenge?: string | undefined
  code_challenge_method?: string | undefined
}): Challenge | null {
  const { code_challenge: challenge = '', code_challenge_method: name = '' } = given
  if (challenge === '' && name === '') return null
  if (challenge === '' || name === '')
    throw invalid('PKCE flow requires code_challenge_method and code_challenge')
  if (!SPELLING.test(challenge))
    throw invalid(
      'code challenge has to be 43 to 128 letters, digits, hyphens, periods, underscores and tildes',
    )
  const method = name.toLowerCase()
  if (method !== 's256' && method !== 'plain') throw invalid('unsupported code_challenge method')
  return { challenge, method }
}

/** How long a flow may take, and how long a code is valid, in seconds. */
export const FLOW_SECONDS = 300

/** Deletes up to two abandoned flows. Each new flow calls this, so the table stays small. */
export const clearFlows = (db: Queryable) =>
  db.query(
    `delete from auth.flow_state where id in (
       select id from auth.flow_state where created_at < now() - make_interval(secs => $1::float8)
       order by created_at limit 2 for update skip locked)`,
    [String(FLOW_SECONDS)],
  )

interface SignedIn {
  userId: string
  method: SignInMethod
  provider: string
  accessToken?: string | undefined
  refreshToken?: string | undefined
}

const digest = (text: string) => createHash('sha256').update(text)

/** Issues a code for an authenticated person; the client that started the flow exchanges it for a session. */
export async function issueCode(
  tx: Transaction,
  { challenge, method }: Challenge,
  { userId, provider, accessToken, refreshToken, ...by }: SignedIn,
): Promise<string> {
  const code = randomUUID()
  await clearFlows(tx)
  await tx.query(
    `insert into auth.flow_state (id, user_id, auth_code, code_challenge, code_challenge_method, provider_type,
       provider_access_token, provider_refresh_token, authentication_method, auth_code_issued_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now())`,
    [
      randomUUID(),
      userId,
      digest(code).digest('hex'),
      challenge,
      method,
      provider,
      accessToken ?? null,
      refreshToken ?? null,
      by.method,
    ],
  )
  return code
}

/**
 * Consumes the code and returns its flow. Throws 404 for an unknown code, 422 for an expired one and 400 for a wrong
 * verifier. The caller's transaction then rolls back, so a wrong verifier does not use up the code.
 */
export async function redeemCode(tx: Transaction, code: string, verifier: string): Promise<SignedIn> {
  const [flow] = await tx.query<Record<string, string> & { fresh: boolean }>(
    `delete from auth.flow_state where auth_code = $1
     returning *, auth_code_issued_at > now() - make_interval(secs => $2::float8) as fresh`,
    [digest(code).digest('hex'), String(FLOW_SECONDS)],
  )
  if (!flow) throw new AuthError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found')
  if (!flow.fresh)
    throw new AuthError(422, 'flow_state_expired', 'invalid flow state, flow state has expired')
  if (!isAnswered(flow, verifier)) {
    throw new AuthError(
      400,
      'bad_code_verifier',
      'code challenge does not match previously saved code verifier',
    )
  }
  return {
    userId: flow.user_id ?? '',
    method: flow.authentication_method as SignInMethod,
    provider: flow.provider_type ?? '',
    accessToken: flow.provider_access_token ?? undefined,
    refreshToken: flow.provider_refresh_token ?? undefined,
  }
}

function isAnswered(flow: Record<string, unknown>, verifier: string): boolean {
  const answer = flow.code_challenge_method === 'plain' ? verifier : digest(verifier).digest('base64url')
  // Digests have equal length, which the constant-time comparison requires.
  const [given, asked] = [answer, String(flow.code_challenge)].map((text) => digest(text).digest())
  return given !== undefined && asked !== undefined && timingSafeEqual(given, asked)
}
