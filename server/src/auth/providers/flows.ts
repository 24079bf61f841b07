// Sign-ins that left for a provider. The state they carry is sealed, works once and for five minutes; the code
// verifier of PKCE follows from it and the project's secret, so that it is stored nowhere.
import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { Tokens } from '#identity/tokens.ts'
import type { Queryable } from '#identity/users.ts'
import { isUuid } from '../gateway.ts'
import type { ProviderName } from './provider.ts'
import type { Flow } from './providers.ts'

const LIFE_SECONDS = 300

// Each start also deletes two that nobody came back from, so the table never outgrows its use.
const START = `with cleared as (
  delete from auth.oauth_flows where id in (
    select id from auth.oauth_flows where created_at < now() - make_interval(secs => $4::float8)
    order by created_at limit 2 for update skip locked)
)
insert into auth.oauth_flows (id, provider, redirect_to) values ($1, $2, $3)`

export async function startFlow(
  db: Queryable,
  tokens: Tokens,
  { provider, redirectTo }: { provider: ProviderName; redirectTo: string },
): Promise<Flow> {
  const id = randomUUID()
  await db.query(START, [id, provider, redirectTo, String(LIFE_SECONDS)])
  return toFlow(tokens, id)
}

export interface ReturnedFlow extends Flow {
  provider: ProviderName
  redirectTo: string
}

/** The flow that a state belongs to, once. */
export async function endFlow(
  db: Queryable,
  tokens: Tokens,
  state: string,
): Promise<ReturnedFlow | 'unknown' | 'expired'> {
  const [id = ''] = state.split('.')
  if (!isUuid(id) || !isSame(state, toFlow(tokens, id).state)) return 'unknown'
  const [row] = await db.query<{ provider: ProviderName; redirect_to: string; fresh: boolean }>(
    `delete from auth.oauth_flows where id = $1
     returning provider, redirect_to, created_at > now() - make_interval(secs => $2::float8) as fresh`,
    [id, String(LIFE_SECONDS)],
  )
  if (!row) return 'unknown'
  if (!row.fresh) return 'expired'
  return { ...toFlow(tokens, id), provider: row.provider, redirectTo: row.redirect_to }
}

const toFlow = (tokens: Tokens, id: string): Flow => ({
  state: `${id}.${tokens.digest('oauth-state', id).toString('base64url')}`,
  verifier: tokens.digest('oauth-verifier', id).toString('base64url'),
})

function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
