// Sign-in flows through external providers. A flow's state is sealed, and can be used once, within five minutes, and
// only in the browser that started the flow. The PKCE code verifier is derived from the state and the project's secret,
// so it is not stored.
import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { isSame } from '#secrets.ts'
import { isUuid } from './gateway.ts'
import type { AuthParts } from './parts.ts'
import { type Challenge, clearFlows, FLOW_SECONDS } from './pkce.ts'
import type { ProviderName } from './providers/provider.ts'
import type { Flow } from './providers/providers.ts'

interface Departure {
  provider: ProviderName
  redirectTo: string
  challenge: Challenge | null
}

export async function startFlow(
  parts: AuthParts,
  context: Context,
  { provider, redirectTo, challenge }: Departure,
): Promise<Flow> {
  const id = randomUUID()
  await clearFlows(parts.db)
  await parts.db.query(
    `insert into auth.flow_state (id, provider_type, authentication_method, referrer, code_challenge, code_challenge_method)
     values ($1, $2, 'oauth', $3, $4, $5)`,
    [id, provider, redirectTo, challenge?.challenge ?? null, challenge?.method ?? null],
  )
  setCookie(context, cookieName(id), seal(parts, 'oauth-browser', id), {
    ...cookieOptions(parts),
    httpOnly: true,
    maxAge: FLOW_SECONDS,
  })
  return toFlow(parts, id)
}

export interface ReturnedFlow extends Flow, Departure {}

/** Consumes the state and returns its flow, but only to the browser that started it. */
export async function endFlow(
  parts: AuthParts,
  context: Context,
  state: string,
): Promise<ReturnedFlow | 'unknown' | 'expired'> {
  const [id = ''] = state.split('.')
  if (!isUuid(id) || !isSame(state, toFlow(parts, id).state)) return 'unknown'
  // Without this check, a link with an attacker's state would sign the victim in to the attacker's account.
  if (!isSame(getCookie(context, cookieName(id)) ?? '', seal(parts, 'oauth-browser', id))) return 'unknown'
  deleteCookie(context, cookieName(id), cookieOptions(parts))
  const [row] = await parts.db.query<Record<string, string | null> & { fresh: boolean }>(
    `delete from auth.flow_state where id = $1 and auth_code is null
     returning *, created_at > now() - make_interval(secs => $2::float8) as fresh`,
    [id, String(FLOW_SECONDS)],
  )
  if (!row) return 'unknown'
  if (!row.fresh) return 'expired'
  const { code_challenge: challenge, code_challenge_method: method } = row
  return {
    ...toFlow(parts, id),
    provider: row.provider_type as ProviderName,
    redirectTo: row.referrer ?? '',
    challenge: challenge && method ? { challenge, method: method as Challenge['method'] } : null,
  }
}

// Each flow has its own cookie, so that several tabs can sign in at the same time.
const cookieName = (id: string) => `sb-flow-${id}`

/**
 * Some providers return with a form (POST), which sends the cookie only with SameSite=None, and that requires https.
 */
function cookieOptions({ settings }: AuthParts) {
  const { protocol, pathname } = new URL(`${settings.apiUrl}/auth/v1/callback`)
  return protocol === 'https:'
    ? ({ path: pathname, secure: true, sameSite: 'None' } as const)
    : ({ path: pathname, sameSite: 'Lax' } as const)
}

const seal = ({ tokens }: AuthParts, purpose: string, id: string) =>
  tokens.digest(purpose, id).toString('base64url')

const toFlow = (parts: AuthParts, id: string): Flow => ({
  state: `${id}.${seal(parts, 'oauth-state', id)}`,
  verifier: seal(parts, 'oauth-verifier', id),
  nonce: seal(parts, 'oauth-nonce', id),
})
