// GET and POST /callback: where a provider sends people back to. Without a flow under way no state can be right.
import type { Context, Handler } from 'hono'
import type { AuthParts } from './parts.ts'

export function callback({ settings }: AuthParts): Handler {
  return async (context) => {
    const state = await readState(context)
    const failure =
      state === ''
        ? { error_code: 'bad_oauth_callback', error_description: 'OAuth state parameter missing' }
        : { error_code: 'bad_oauth_state', error_description: 'OAuth callback with invalid state' }
    const to = new URL(settings.siteUrl)
    to.search = new URLSearchParams({ error: 'invalid_request', ...failure }).toString()
    return context.redirect(to.href, 303)
  }
}

async function readState({ req }: Context): Promise<string> {
  const inQuery = req.query('state')
  if (inQuery || req.method !== 'POST') return inQuery ?? ''
  return new URLSearchParams(await req.text()).get('state') ?? ''
}
