// The response to a successful sign-in: the tokens, as JSON or in the fragment of a redirect.

import type { Context } from 'hono'
import { decodeJwt } from 'jose'
import type { Transaction } from '#db/database.ts'
import {
  type Origin,
  openSession,
  type Session,
  type SignInMethod,
  writeRefreshToken,
} from '#identity/sessions.ts'
import { reloadUser, type User } from '#identity/users.ts'
import type { AuthParts } from './parts.ts'
import { type UserAnswer, writeUser } from './user-answer.ts'

export interface SessionAnswer {
  access_token: string
  token_type: 'bearer'
  expires_in: number
  /** Unix seconds. */
  expires_at: number
  refresh_token: string
  user: UserAnswer
}

export interface SignedIn {
  user: User
  session: Session
}

/** Opens a session for a person who has proven their identity. */
export async function signIn(
  tx: Transaction,
  userId: string,
  method: SignInMethod,
  origin: Origin,
  provider?: string,
): Promise<SignedIn> {
  const session = await openSession(tx, userId, method, origin, provider)
  return { user: await reloadUser(tx, userId), session }
}

/** Signs the tokens of a session; `user` is the account after the sign-in. */
export async function writeSession(
  {
    tokens,
    settings,
  }: Pick<AuthParts, 'tokens'> & { settings: Pick<AuthParts['settings'], 'apiUrl' | 'jwtExpirySeconds'> },
  user: User,
  session: Session,
): Promise<SessionAnswer> {
  const claims = {
    iss: `${settings.apiUrl}/auth/v1`,
    sub: user.id,
    aud: user.aud ?? 'authenticated',
    email: user.email ?? '',
    phone: '',
    app_metadata: user.raw_app_meta_data,
    user_metadata: user.raw_user_meta_data,
    role: user.role ?? 'authenticated',
    aal: session.aal,
    amr: session.amr,
    session_id: session.id,
    is_anonymous: user.is_anonymous,
  }
  const accessToken = await tokens.sign(claims, settings.jwtExpirySeconds)
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: settings.jwtExpirySeconds,
    expires_at: decodeJwt(accessToken).exp ?? 0,
    refresh_token: writeRefreshToken(tokens, { sessionId: session.id, counter: session.refresh_counter }),
    user: writeUser(user),
  }
}

/** Sends the 200 response to a sign-in; `more` is added to its body. */
export async function sendSession(
  parts: AuthParts,
  context: Context,
  { user, session }: SignedIn,
  more: object = {},
): Promise<Response> {
  context.header('sb-auth-user-id', user.id)
  context.header('sb-auth-session-id', session.id)
  return context.json({ ...(await writeSession(parts, user, session)), ...more })
}

/** Returns the redirect URL with the tokens in its fragment, keys in alphabetical order. */
export function redirectWithSession(
  to: string,
  session: SessionAnswer,
  more: Record<string, string>,
): string {
  return withFragment(to, {
    access_token: session.access_token,
    expires_at: String(session.expires_at),
    expires_in: String(session.expires_in),
    refresh_token: session.refresh_token,
    token_type: session.token_type,
    ...more,
  })
}

/**
 * Replaces the URL's fragment with these fields and an empty `sb`, which tells clients that the auth service set it.
 */
export function withFragment(to: string, fields: Record<string, string>): string {
  const fragment = new URLSearchParams({ ...fields, sb: '' })
  fragment.sort()
  return `${to.replace(/#.*$/s, '')}#${fragment}`
}

export function withQuery(to: string, fields: Record<string, string>): string {
  const url = new URL(to)
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url.href
}

/**
 * Adds the fields to the query and the fragment: Supabase's clients look in different places, depending on version and
 * flow.
 */
export const withEverywhere = (to: string, fields: Record<string, string>) =>
  withFragment(withQuery(to.replace(/#.*$/s, ''), fields), fields)

const LONGEST_AGENT = 500

/** Returns the client address and user agent of a sign-in, which are stored with the session. */
export const originOf = ({ clientAddress }: AuthParts, context: Context): Origin => ({
  userAgent: context.req.header('user-agent')?.slice(0, LONGEST_AGENT) ?? null,
  address: clientAddress(context),
})
