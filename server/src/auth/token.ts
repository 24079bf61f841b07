// POST /token: exchanges a password, a refresh token or a code for a session.
import type { Context, Handler } from 'hono'
import { z } from 'zod'
import { findWeakness, passwordMatches } from '#identity/passwords.ts'
import { readRefreshToken, refreshSession } from '#identity/sessions.ts'
import { findUserByEmail, findUserById, holdPassword, isBanned } from '#identity/users.ts'
import { emailToLookUp, readBody, text } from './body.ts'
import { AuthError, banned, emailDisabled, invalid, phoneDisabled, wrongCredentials } from './errors.ts'
import { limitGuesses } from './limits.ts'
import type { AuthParts } from './parts.ts'
import { redeemCode } from './pkce.ts'
import { originOf, sendSession, signIn } from './session-answer.ts'

const GRANTS: Record<string, (parts: AuthParts, context: Context) => Promise<Response>> = {
  password: grantByPassword,
  refresh_token: grantByRefreshToken,
  pkce: grantByCode,
  id_token: async () => {
    throw new AuthError(400, 'provider_disabled', 'Sign-in with an ID token is not enabled')
  },
  web3: async () => {
    throw new AuthError(422, 'web3_provider_disabled', 'Web3 provider is disabled')
  },
}

export function token(parts: AuthParts): Handler {
  return (context) => {
    const type = context.req.query('grant_type') ?? ''
    const grant = Object.hasOwn(GRANTS, type) ? GRANTS[type] : undefined
    if (!grant) throw new AuthError(400, 'invalid_credentials', 'unsupported_grant_type')
    return grant(parts, context)
  }
}

const passwordBody = z.object({ email: text, phone: text, password: text })

/** Responds to an unknown address as to a wrong password, and after the same work. */
async function grantByPassword(parts: AuthParts, context: Context): Promise<Response> {
  const { db, settings } = parts
  const given = await readBody(context, passwordBody)
  if (given.phone !== '') {
    if (given.email !== '')
      throw invalid('Only an email address or phone number should be provided on login.')
    throw phoneDisabled('Phone logins are disabled', 422)
  }
  if (given.email === '') throw invalid('missing email or phone')
  if (!settings.emailEnabled) throw emailDisabled(422, 'logins')
  const email = emailToLookUp(given.email)
  if (email === null) throw wrongCredentials()

  const found = await limitGuesses(parts, context, { secret: 'password', account: email }, async () => {
    const user = await findUserByEmail(db, email)
    const matches = await passwordMatches(given.password, user?.encrypted_password)
    if (!user || !matches) throw wrongCredentials()
    return user
  })
  if (isBanned(found)) throw banned(400)
  if (found.email_confirmed_at === null)
    throw new AuthError(400, 'email_not_confirmed', 'Email not confirmed')

  const signedIn = await db.transaction(async (tx) => {
    // The password may have been removed in the meantime, along with every session that existed.
    if (!(await holdPassword(tx, found))) throw wrongCredentials()
    return signIn(tx, found.id, 'password', originOf(parts, context))
  })
  const weakness = findWeakness(given.password, settings.passwordRules)
  return sendSession(parts, context, signedIn, weakness ? { weak_password: weakness } : {})
}

const INVALID = 'Invalid Refresh Token'
const refreshBody = z.object({ refresh_token: text })

/** Exchanges a refresh token for the session's next access and refresh token. */
async function grantByRefreshToken(parts: AuthParts, context: Context): Promise<Response> {
  const { db, tokens, settings } = parts
  const { refresh_token: given } = await readBody(context, refreshBody)
  if (!/^[A-Za-z0-9_-]+$/.test(given)) throw invalid('Refresh token is not valid')
  const ticket = readRefreshToken(tokens, given)
  if (!ticket) {
    throw new AuthError(400, 'refresh_token_not_found', `${INVALID}: Refresh Token Not Found`)
  }

  // The response is sent after the commit: a reused token must end its session even though the request fails.
  const outcome = await db.transaction(async (tx) => {
    const refreshed = await refreshSession(tx, ticket, {
      reuseSeconds: settings.reuseIntervalSeconds,
      endReused: settings.endReusedSessions,
    })
    if (typeof refreshed === 'string') return refreshed
    const user = await findUserById(tx, refreshed.session.user_id)
    if (!user) return 'no session'
    if (isBanned(user)) throw banned(400, INVALID)
    return { user, session: refreshed.session }
  })
  if (outcome === 'no session') {
    throw new AuthError(400, 'session_not_found', `${INVALID}: No Valid Session Found`)
  }
  if (outcome === 'reused') {
    throw new AuthError(400, 'refresh_token_already_used', `${INVALID}: Already Used`)
  }
  return sendSession(parts, context, outcome)
}

const codeBody = z.object({ auth_code: text, code_verifier: text })

/** Exchanges a code and its verifier for a session. */
async function grantByCode(parts: AuthParts, context: Context): Promise<Response> {
  const given = await readBody(context, codeBody)
  if (given.auth_code === '' || given.code_verifier === '') {
    throw invalid('invalid request: both auth code and code verifier should be non-empty')
  }
  const { accessToken, refreshToken, ...signedIn } = await parts.db.transaction(async (tx) => {
    const { userId, method, provider, ...access } = await redeemCode(tx, given.auth_code, given.code_verifier)
    const user = await findUserById(tx, userId)
    if (!user || isBanned(user)) throw banned(400)
    return { ...(await signIn(tx, userId, method, originOf(parts, context), provider)), ...access }
  })
  return sendSession(parts, context, signedIn, {
    ...(accessToken !== undefined && { provider_token: accessToken }),
    ...(refreshToken !== undefined && { provider_refresh_token: refreshToken }),
  })
}
