// GET /authorize: sends a person to the sign-in page of an external provider.
import type { Handler } from 'hono'
import { isLoopback } from '#config.ts'
import { invalid } from './errors.ts'
import { describeForRedirect, logFailure, toAuthError } from './failures.ts'
import { startFlow } from './flows.ts'
import type { AuthParts } from './parts.ts'
import { readChallenge } from './pkce.ts'
import type { Provider } from './providers/providers.ts'
import { createRedirects } from './redirects.ts'
import { withEverywhere } from './session-answer.ts'

// Parameters that the flow sets itself; those in a link to this endpoint must not override them.
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
    const challenge = readChallenge(query)
    const home = otherLoopbackUrl(context.req.url, parts.settings.apiUrl)
    if (home) return context.redirect(home, 302)
    const scopes = (query.scopes ?? '').split(/[\s,]+/).filter((scope) => scope !== '')
    const more = Object.fromEntries(Object.entries(query).filter(([key]) => !OURS.has(key)))
    const redirectTo = redirectFor(context)
    const flow = await startFlow(parts, context, { provider: provider.name, redirectTo, challenge })
    try {
      return context.redirect(await provider.signInPage(flow, { scopes, more }), 302)
    } catch (error) {
      // Sends the person back to the requesting page, which can explain the error.
      const failure = toAuthError(error)
      logFailure(parts.log, context, failure)
      return context.redirect(withEverywhere(redirectTo, describeForRedirect(failure)), 302)
    }
  }
}

/**
 * Returns the requested URL on the host of `apiUrl` if the request used another name of this machine (such as 127.0.0.1
 * for localhost), otherwise null. The provider returns to `apiUrl`, so the flow's cookie must be set there.
 */
function otherLoopbackUrl(asked: string, apiUrl: string): string | null {
  const [here, home] = [new URL(asked), new URL(apiUrl)]
  if (here.host === home.host || !isLoopback(here.hostname) || !isLoopback(home.hostname)) return null
  return `${apiUrl}${here.pathname}${here.search}`
}
