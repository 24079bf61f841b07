// GET and POST /callback: the URL to which providers send people back. Always responds with another redirect.
import type { Context, Handler } from 'hono'
import { AuthError, unexpected } from './errors.ts'
import { findOrCreateAccount } from './external-account.ts'
import { describeForRedirect, logFailure, toAuthError } from './failures.ts'
import { endFlow, type ReturnedFlow } from './flows.ts'
import type { AuthParts } from './parts.ts'
import { issueCode } from './pkce.ts'
import type { Provider, SignedInElsewhere } from './providers/providers.ts'
import {
  originOf,
  redirectWithSession,
  signIn,
  withEverywhere,
  withQuery,
  writeSession,
} from './session-answer.ts'

export function callback(parts: AuthParts, findProvider: (name: string) => Provider | undefined): Handler {
  const { settings, log } = parts
  return async (context) => {
    const given = await readAnswer(context)
    const state = given.get('state') ?? ''
    const flow = state === '' ? 'missing' : await endFlow(parts, context, state)
    if (typeof flow === 'string') {
      // Without a valid state, neither the destination nor the browser that started the flow is known.
      const to = withQuery(settings.siteUrl, describeForRedirect(STATE_FAILURES[flow]))
      return context.redirect(to, 303)
    }
    const denied = given.get('error')
    if (denied) {
      const reason = { error: denied, error_description: given.get('error_description') ?? '' }
      return context.redirect(withEverywhere(flow.redirectTo, reason), 302)
    }
    try {
      const returned = { code: given.get('code') ?? '', issuer: given.get('iss') }
      const elsewhere = await ask(findProvider(flow.provider), flow, returned)
      return context.redirect(await letIn(parts, context, flow, elsewhere), 302)
    } catch (error) {
      const failure = toAuthError(error)
      logFailure(log, context, failure)
      const reason = { error: 'access_denied', ...describeForRedirect(failure) }
      return context.redirect(withEverywhere(flow.redirectTo, reason), 302)
    }
  }
}

const STATE_FAILURES = {
  missing: new AuthError(400, 'bad_oauth_callback', 'OAuth state parameter missing'),
  unknown: new AuthError(400, 'bad_oauth_state', 'OAuth callback with invalid state'),
  expired: new AuthError(400, 'bad_oauth_state', 'OAuth state has expired'),
} as const

async function readAnswer({ req }: Context): Promise<URLSearchParams> {
  return req.method === 'POST' ? new URLSearchParams(await req.text()) : new URL(req.url).searchParams
}

/** Gets the person's profile and tokens from the provider. Throws AuthError, whose cause is logged but not shown. */
async function ask(
  provider: Provider | undefined,
  flow: ReturnedFlow,
  returned: { code: string; issuer: string | null },
): Promise<SignedInElsewhere> {
  if (returned.code === '') {
    throw new AuthError(400, 'bad_oauth_callback', 'OAuth callback with missing authorization code')
  }
  if (!provider)
    throw new AuthError(400, 'validation_failed', 'Unsupported provider: provider is not enabled')
  const access = await provider.exchange(flow, returned).catch((error: unknown) => {
    throw error instanceof AuthError ? error : unexpected('Unable to exchange external code', error)
  })
  return access.readProfile().catch((error: unknown) => {
    throw error instanceof AuthError
      ? error
      : unexpected('Error getting user profile from external provider', error)
  })
}

/**
 * Signs the person in. Returns `redirectTo` with the tokens of a new session in its fragment or, if the client sent a
 * PKCE challenge, with a code in its query.
 */
async function letIn(
  parts: AuthParts,
  context: Context,
  { provider, redirectTo, challenge }: ReturnedFlow,
  { profile, accessToken, refreshToken }: SignedInElsewhere,
): Promise<string> {
  const signedIn = await parts.db.transaction(async (tx) => {
    const { id } = await findOrCreateAccount(tx, parts, provider, profile)
    if (challenge) {
      const by = { userId: id, method: 'oauth', provider, accessToken, refreshToken } as const
      return issueCode(tx, challenge, by)
    }
    return signIn(tx, id, 'oauth', originOf(parts, context), provider)
  })
  if (typeof signedIn === 'string') return withQuery(redirectTo, { code: signedIn })
  const { user, session } = signedIn
  return redirectWithSession(redirectTo, await writeSession(parts, user, session), {
    provider_token: accessToken,
    ...(refreshToken !== undefined && { provider_refresh_token: refreshToken }),
  })
}
