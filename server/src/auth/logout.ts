// POST /logout: ends this session, the others, or all of them.
import type { Handler } from 'hono'
import { endSession, endSessions } from '#identity/sessions.ts'
import { invalid } from './errors.ts'
import { requireRaised } from './factors.ts'
import { requireUser } from './gateway.ts'
import type { AuthParts } from './parts.ts'

export function logout(parts: AuthParts): Handler {
  return async (context) => {
    const signedIn = await requireUser(parts, context)
    const { user, session } = signedIn
    const scope = context.req.query('scope') || 'global'
    if (!['global', 'local', 'others'].includes(scope)) throw invalid(`Unsupported logout scope "${scope}"`)
    if (scope !== 'local') requireRaised(signedIn, 'AAL2 session is required to end other sessions')
    if (scope === 'local' && session) await endSession(parts.db, session.id)
    else await endSessions(parts.db, user.id, scope === 'others' ? (session?.id ?? null) : null)
    return context.body(null, 204)
  }
}
