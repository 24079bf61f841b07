import { t } from '@lingui/core/macro'
import type { AuthChangeEvent, Session } from '@supabase/supabase-js'
import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { whenSessionEnds } from './connect.ts'
import { AppError, SESSION_UNKNOWN, SIGNED_OUT, toAppError } from './errors.ts'
import { isOnline } from './site.ts'
import { keysLike, local, readJson, write } from './storage.ts'
import { type AppClient, supabase } from './supabase.ts'
import { claimsOf, sessionIn } from './token.ts'

export interface User {
  id: string
  email: string
  /** The name from the sign-in provider; empty if the provider gave none. */
  name: string
  avatarUrl: string | null
}

export type SessionState =
  | { status: 'loading' }
  /** `halfway`: only the first of two required factors was given, so nothing is accessible yet. */
  | { status: 'signed-out'; halfway?: Session }
  | { status: 'signed-in'; session: Session; user: User }

/** `SESSION_ENDED`: the session was ended elsewhere, which was noticed here. */
type Watcher = (event: AuthChangeEvent | 'SESSION_ENDED', state: SessionState) => void

let state: SessionState = { status: 'loading' }
let assumed: Session | null = null
const watchers = new Set<Watcher>()
/** Ids of sessions that the app has ended here because the server had. */
const ended = new Set<string>()
/** Ids of sessions that the person ended in this tab. */
const left = new Set<string>()

/**
 * Follows the client's auth events, from this tab and others. With `visitor`, the state is signed out until an event
 * changes it. Returns a function that stops following.
 */
export function followSession(client: AppClient, { visitor = false } = {}): () => void {
  // Without a connection nothing can be checked, so people who were signed in see the last known data.
  assumed = visitor || isOnline() ? null : keptSession()
  state = assumed ? toState(assumed) : { status: visitor ? 'signed-out' : 'loading' }
  const { data } = client.auth.onAuthStateChange((event, session) => {
    if (event === 'SIGNED_OUT' || session) assumed = null
    tell(event, session ?? assumed)
  })
  whenSessionEnds((token) => void leaveEnded(client, sessionIn(token)))
  return () => data.subscription.unsubscribe()
}

/** Signs out in this browser once, unless the person has signed out themselves, here or in another tab. */
async function leaveEnded(client: AppClient, session: string): Promise<void> {
  if (ended.has(session) || left.has(session)) return
  ended.add(session)
  await new Promise((told) => setTimeout(told, 1000))
  if (session !== currentSessionId()) return
  const { error } = await client.auth.signOut({ scope: 'local' })
  if (error) forgetTokens()
  tell('SESSION_ENDED', null)
}

/** Ends the session by `end` as the person's own choice: no notice is shown, and they are taken home. Passes on errors. */
export async function leave(end: () => Promise<unknown>): Promise<void> {
  const session = currentSessionId()
  left.add(session)
  await end().catch((problem: unknown) => {
    left.delete(session)
    throw problem
  })
}

/** True if the person is ending or has ended this session by their own choice in this tab. */
export const isLeft = (session: Session) => left.has(sessionIn(session.access_token))

/** The id of the current session; empty for visitors. */
export const currentSessionId = () =>
  state.status === 'signed-in' ? sessionIn(state.session.access_token) : ''

/** Treats this session as the client's own until the client has a real one or signs out. */
export function standIn(session: Session): void {
  assumed = session
  tell('SIGNED_IN', session)
}

function tell(event: Parameters<Watcher>[0], session: Session | null): void {
  state = toState(session)
  for (const watcher of watchers) watcher(event, state)
}

/** Sets the state to signed out, for a page with no tokens in storage or in its URL. */
export function assumeVisitor(): void {
  state = { status: 'signed-out' }
}

/** Calls back on every auth event with the resulting state. Returns a function that stops the calls. */
export function onSession(watcher: Watcher): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** The current state, for code outside React. */
export function currentSession(): SessionState {
  return state
}

/** Returns the auth state, and follows changes. */
export function useSession(): SessionState {
  return useSyncExternalStore(onSession, currentSession, currentSession)
}

/** The signed-in person. Only for screens behind the sign-in guard; throws anywhere else. */
export function useUser(): User {
  const session = useSession()
  if (session.status === 'signed-in') return session.user
  throw new AppError(SIGNED_OUT, t`Authentication required. Please sign in again.`)
}

/**
 * Reads the session, refreshing it first if needed. Null means that there is no session. Throws if that cannot be found
 * out, so that a network failure does not send people to sign-in.
 */
export async function askSession(): Promise<User | null> {
  if (!isOnline() && state.status !== 'loading') return state.status === 'signed-in' ? state.user : null
  const { data, error } = await supabase().auth.getSession()
  const asked = toState(data.session ?? assumed)
  if (asked.status === 'signed-in') return asked.user
  if (error && toAppError(error).code === 'offline')
    throw new AppError(SESSION_UNKNOWN, t`Unable to verify authentication. Please try again.`, {
      cause: error,
    })
  // The client does not notice if its tokens are removed from storage.
  if (state.status === 'signed-in') tell('SIGNED_OUT', null)
  return null
}

/** Removes the client's tokens from this browser, in case the client has not done so. */
export function forgetTokens(): void {
  for (const key of tokenKeys()) write(local, key, null)
}

/** The storage keys of the client's tokens in this browser. */
const tokenKeys = () => keysLike(local, /^sb-.*-auth-token/)

/** The session that the client has stored, of any age. */
function keptSession(): Session | null {
  const stored = tokenKeys().find((key) => key.endsWith('-auth-token'))
  return stored ? readJson(local, stored, (kept) => (isSession(kept) ? kept : null)) : null
}

/** The id of the person whose session the client has stored; undefined if that session waits for a second factor. */
export function keptUserId(): string | undefined {
  const kept = keptSession()
  return kept && !awaitsCode(kept) ? kept.user.id : undefined
}

const isSession = (kept: unknown): kept is Session =>
  z.object({ access_token: z.string(), user: z.object({ id: z.string() }) }).safeParse(kept).success

/** The state for a session. An expired session counts as none, unless no connection exists to refresh it. */
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

/**
 * True if a token shows two factors. A passkey counts as two, as in the database, although the auth service counts it
 * as one.
 */
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
