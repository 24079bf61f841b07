// GET /authorize: sends a person to the sign-in page of another provider.
import type { Handler } from 'hono'
import { refusePkce } from './body.ts'
import { invalid } from './errors.ts'
import type { AuthParts } from './parts.ts'
import { startFlow } from './providers/flows.ts'
import type { Provider } from './providers/providers.ts'
import { createRedirects } from './redirects.ts'

// What the flow itself decides; a link to this endpoint must not be able to change it.
const OURS = new Set([
  ...['apikey', 'provider', 'redirect_to', 'scopes', 'skip_http_redirect', 'invite_token'],
  ...[
    'client_id',
    'client_secret',
    'redirect_uri',
    'response_type',
    'response_mode',
    'scope',
    'state',
    'nonce',
  ],
  ...['code_challenge', 'code_challenge_method', 'code_verifier', 'request', 'request_uri', 'registration'],
])

export function authorize(parts: AuthParts, findProvider: (name: string) => Provider | undefined): Handler {
  const redirectFor = createRedirects(parts.settings)
  return async (context) => {
    const query = context.req.query()
    const provider = findProvider(query.provider ?? '')
    if (!provider) throw invalid('Unsupported provider: provider is not enabled')
    refusePkce({ code_challenge: query.code_challenge ?? '' })
    const scopes = (query.scopes ?? '').split(/[\s,]+/).filter((scope) => scope !== '')
    const more = Object.fromEntries(Object.entries(query).filter(([key]) => !OURS.has(key)))
    const flow = await startFlow(parts.db, parts.tokens, {
      provider: provider.name,
      redirectTo: redirectFor(context),
    })
    return context.redirect(await provider.signInPage(flow, { scopes, more }), 302)
  }
}
