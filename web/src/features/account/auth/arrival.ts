import { AppError } from '#lib/errors.ts'
import { askSession } from '#lib/session.ts'
import type { AppClient } from '#lib/supabase.ts'
import { sayAuthenticationFailed, saySocialFailed } from './auth.messages.ts'
import { welcomeOnce } from './session.messages.ts'
import { takeSocialSignIn } from './social.ts'

const refusalFields = ['error', 'error_code', 'error_description']

/**
 * Completes a sign-in that returns to an ordinary page: uses the tokens in the URL, or shows the refusal and removes it
 * from the URL. Must run before a guard or redirect of that page drops the tokens or the refusal. /auth-redirect
 * completes its own sign-ins.
 */
export async function completeArrival(
  client: AppClient,
  { location, history }: Pick<Window, 'location' | 'history'>,
): Promise<void> {
  if (location.pathname === '/auth-redirect') return
  const fragment = new URLSearchParams(location.hash.slice(1))
  const query = new URLSearchParams(location.search)
  const leaveBehind = () => {
    for (const name of refusalFields) query.delete(name)
    history.replaceState(history.state, '', location.pathname + (query.size > 0 ? `?${query}` : ''))
  }
  if (fragment.has('access_token')) {
    takeSocialSignIn()
    const { error } = await client.auth.initialize()
    if (error) sayAuthenticationFailed(error)
    else welcomeOnce(await askSession())
    leaveBehind()
  } else if (isRefusal(fragment) || isRefusal(query)) {
    sayRefusal(isRefusal(fragment) ? fragment : query)
    leaveBehind()
  }
}

/** True if the URL's query or fragment says that the provider or the auth service refused the sign-in. */
const isRefusal = (fields: URLSearchParams) => fields.has('error') || fields.has('error_code')

function sayRefusal(refusal: URLSearchParams): void {
  const provider = takeSocialSignIn()
  // Anybody can craft a link with a message, so the message is shown only if this tab had gone to a provider.
  const message = provider ? (refusal.get('error_description') ?? '') : ''
  const problem = new AppError(refusal.get('error_code') ?? '', message)
  if (provider) saySocialFailed(provider, problem)
  else sayAuthenticationFailed(problem)
}
