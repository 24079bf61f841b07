// grant_type=refresh_token: the next access and refresh token of a session.
import type { Context } from 'hono'
import { z } from 'zod'
import { readRefreshToken } from '#identity/refresh-tokens.ts'
import { refreshSession } from '#identity/sessions.ts'
import { findUserById, isBanned } from '#identity/users.ts'
import { readBody, text } from './body.ts'
import { AuthError, banned, invalid } from './errors.ts'
import type { AuthParts } from './parts.ts'
import { sendSession } from './session-answer.ts'

const INVALID = 'Invalid Refresh Token'
const body = z.object({ refresh_token: text })

export async function grantByRefreshToken(parts: AuthParts, context: Context): Promise<Response> {
  const { db, tokens, settings } = parts
  const { refresh_token: given } = await readBody(context, body)
  if (!/^[A-Za-z0-9_-]+$/.test(given)) throw invalid('Refresh token is not valid')
  const ticket = readRefreshToken(tokens, given)
  if (!ticket) {
    throw new AuthError(400, 'refresh_token_not_found', `${INVALID}: Refresh Token Not Found`)
  }

  // Answered after the commit: a reused token must end its session although the request fails.
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
