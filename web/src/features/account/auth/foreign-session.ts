import * as z from 'zod/mini'
import { askSession } from '#lib/session.ts'
import { keysLike, local, readJson } from '#lib/storage.ts'
import { supabase } from '#lib/supabase.ts'
import { claimsOf } from '#lib/token.ts'
import { welcomeOnce } from './session.messages.ts'

/** The session in an opened link, if it belongs to a different person than the signed-in one. */
export interface ForeignSession {
  email: string
  tokens: { access_token: string; refresh_token: string }
}

const storedSchema = z.catch(z.object({ user: z.object({ id: z.string() }) }), { user: { id: '' } })
const claimsSchema = z.catch(z.object({ sub: z.string(), email: z.catch(z.string(), '') }), {
  sub: '',
  email: '',
})

let held: ForeignSession | null = null

/**
 * Prevents a link from silently switching accounts: removes another person's tokens from the URL and holds them until
 * the signed-in person decides. Must run before the client starts, since the client uses any tokens in the URL.
 */
export function holdForeignTokens({ location, history }: Pick<Window, 'location' | 'history'>): void {
  held = null
  const query = new URLSearchParams(location.search)
  // `expires_at` is in the server's time. Without it, the client computes the expiry from now, by this device's clock.
  if (/[#&]access_token=/.test(location.hash))
    history.replaceState(
      history.state,
      '',
      location.pathname + location.search + location.hash.replace(/&expires_at=\d+/, ''),
    )
  // The client reads the URL with the same precedence: query parameters override the fragment, and the last of two
  // values wins.
  const given = new Map([...new URLSearchParams(location.hash.slice(1)), ...query])
  const access_token = given.get('access_token') ?? ''
  const claims = claimsSchema.parse(claimsOf(access_token))
  const own = storedPerson()
  if (!claims.sub || !own || claims.sub === own) return
  held = { email: claims.email, tokens: { access_token, refresh_token: given.get('refresh_token') ?? '' } }
  for (const name of ['access_token', 'refresh_token']) query.delete(name)
  history.replaceState(history.state, '', location.pathname + (query.size > 0 ? `?${query}` : ''))
}

/** Returns the held session, and forgets it. */
export function takeForeignSession(): ForeignSession | null {
  const session = held
  held = null
  return session
}

/** Replaces the current session with the one from a link. */
export async function takeOver(tokens: ForeignSession['tokens']): Promise<void> {
  const { error } = await supabase().auth.setSession(tokens)
  if (error) throw error
  welcomeOnce(await askSession())
}

/** The id of the person whose session is stored in this browser; empty if there is none. */
function storedPerson(): string {
  const keys = keysLike(local, /^sb-.*-auth-token$/)
  const ids = keys.map((key) => readJson(local, key, (kept) => storedSchema.parse(kept)).user.id)
  return ids.find(Boolean) ?? ''
}
