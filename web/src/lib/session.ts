import type { AuthChangeEvent, Session } from '@supabase/supabase-js'
import { useRef, useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { AppError, SIGNED_OUT, toAppError } from './errors.ts'
import { isOnline } from './online.ts'
import { local, readJson } from './storage.ts'
import { type Client, supabase, whenSessionEnds } from './supabase.ts'
import { claimsOf, sessionIn } from './token.ts'

export interface User {
  id: string
  email: string
  /** As the sign-in provider gives it; empty when it gave none. */
  name: string
  avatarUrl: string | null
}

export type SessionState =
  | { status: 'loading' }
  /** `halfway`: one factor alone, of an account that asks for a second one as well. Nothing is open to it yet. */
  | { status: 'signed-out'; halfway?: Session }
  | { status: 'signed-in'; session: Session; user: User }

/** `SESSION_ENDED`: elsewhere, and found out here. */
type Watcher = (event: AuthChangeEvent | 'SESSION_ENDED', state: SessionState) => void

let state: SessionState = { status: 'loading' }
let assumed: Session | null = null
const watchers = new Set<Watcher>()
/** Sessions whose end is no news. */
const ended = new Set<string>()

/**
 * Follows the client's auth events, from this tab and from others. Somebody known to be a visitor
 * stays one until the client says otherwise. Returns the way to stop.
 */
export function followSession(client: Client, { visitor = false } = {}): () => void {
  // Nobody can be asked without a connection: whoever was signed in sees what was seen last.
  assumed = visitor || isOnline() ? null : keptSession()
  state = assumed ? toState(assumed) : { status: visitor ? 'signed-out' : 'loading' }
  const { data } = client.auth.onAuthStateChange((event, session) => {
    if (event === 'SIGNED_OUT' || session) assumed = null
    tell(event, session ?? assumed)
  })
  whenSessionEnds((token) => void leaveEnded(client, sessionIn(token)))
  return () => data.subscription.unsubscribe()
}

/** Signs out here once, unless it turns out that the person did so, here or in another tab. */
async function leaveEnded(client: Client, session: string): Promise<void> {
  if (ended.has(session)) return
  ended.add(session)
  await new Promise((told) => setTimeout(told, 1000))
  if (session !== currentSessionId()) return
  const { error } = await client.auth.signOut({ scope: 'local' })
  if (error) forgetTokens()
  tell('SESSION_ENDED', null)
}

/** Whoever is signed in has ended the session, so that nobody tells them. */
export function expectEnd(): void {
  ended.add(currentSessionId())
}

/** The id of the session in use; empty where nobody is signed in. */
export const currentSessionId = () =>
  state.status === 'signed-in' ? sessionIn(state.session.access_token) : ''

/** Goes on as if this session were the client's own, until it has a real one or signs out. */
export function standIn(session: Session): void {
  assumed = session
  tell('SIGNED_IN', session)
}

function tell(event: Parameters<Watcher>[0], session: Session | null): void {
  state = toState(session)
  for (const watcher of watchers) watcher(event, state)
}

/** Where nobody can be signed in: no tokens are stored, and none arrive. */
export function assumeVisitor(): void {
  state = { status: 'signed-out' }
}

/** Hears every auth event with the state it leads to. Returns the way to stop. */
export function onSession(watcher: Watcher): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** The state at this moment, for code outside React. */
export function currentSession(): SessionState {
  return state
}

/** The auth state and its loading flag, live. */
export function useSession(): SessionState {
  return useSyncExternalStore(onSession, currentSession, currentSession)
}

/** The signed-in person. Only for screens behind the sign-in guard; throws anywhere else. */
export function useUser(): User {
  const session = useSession()
  // Signing out reaches a screen before the guard takes it away; until then it keeps whom it was shown to.
  const last = useRef<User>(null)
  if (session.status === 'signed-in') last.current = session.user
  if (last.current) return last.current
  throw new AppError(SIGNED_OUT, 'Authentication required. Please sign in again.')
}

/**
 * Reads the session, refreshing it first where needed. Null means that there is none; an answer that could not be had
 * throws instead, so that nobody is sent to sign in because the network was down.
 */
export async function askSession(): Promise<User | null> {
  if (!isOnline() && state.status === 'signed-in') return state.user
  const { data, error } = await supabase().auth.getSession()
  const asked = toState(data.session ?? assumed)
  if (asked.status === 'signed-in') return asked.user
  if (error && toAppError(error).code === 'offline')
    throw new AppError('offline', 'Unable to verify authentication. Please try again.', { cause: error })
  // The client does not say when its tokens were cleared away behind its back.
  if (state.status === 'signed-in') tell('SIGNED_OUT', null)
  return null
}

/** Removes the client's tokens from this browser, for when it did not do so itself. */
export function forgetTokens(): void {
  for (const key of tokenKeys()) window.localStorage.removeItem(key)
}

/** Where the client keeps its tokens, in this browser. */
function tokenKeys(): string[] {
  const keys = Array.from({ length: window.localStorage.length }, (_, place) =>
    window.localStorage.key(place),
  )
  return keys.filter((key) => key !== null && /^sb-.*-auth-token/.test(key)) as string[]
}

/** The session that the client has stored, however old. */
function keptSession(): Session | null {
  const stored = tokenKeys().find((key) => key.endsWith('-auth-token'))
  return stored ? readJson(local, stored, (kept) => (isSession(kept) ? kept : null)) : null
}

const isSession = (kept: unknown): kept is Session =>
  z.object({ access_token: z.string(), user: z.object({ id: z.string() }) }).safeParse(kept).success

/** A session whose expires_at has passed counts as none, once it can be refreshed. */
function toState(session: Session | null): SessionState {
  const expired = isOnline() && session?.expires_at !== undefined && session.expires_at * 1000 <= Date.now()
  if (!session || expired) return { status: 'signed-out' }
  if (awaitsCode(session)) return { status: 'signed-out', halfway: session }
  return { status: 'signed-in', session, user: toUser(session.user) }
}

function awaitsCode({ user, access_token: token }: Session): boolean {
  const isProtected = user.factors?.some(({ status }) => status === 'verified') ?? false
  return isProtected && !showsSecondFactor(token)
}

const shownSchema = z.object({
  aal: z.optional(z.string()),
  amr: z.optional(z.array(z.object({ method: z.string() }))),
})

/** As the database judges it: a passkey, which the auth service counts as one factor, is as good as two. */
export function showsSecondFactor(token: string): boolean {
  const { data } = shownSchema.safeParse(claimsOf(token))
  return data?.aal === 'aal2' || (data?.amr?.some(({ method }) => method === 'passkey') ?? false)
}

function toUser({ id, email, user_metadata: about }: Session['user']): User {
  const name = about.full_name ?? about.name
  return {
    id,
    email: email ?? '',
    name: typeof name === 'string' ? name : '',
    avatarUrl: typeof about.avatar_url === 'string' ? about.avatar_url : null,
  }
}
