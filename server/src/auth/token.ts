// POST /token: turns a password or a refresh token into a session.
import type { Context, Handler } from 'hono'
import { AuthError } from './errors.ts'
import type { AuthParts } from './parts.ts'
import { grantByPassword } from './token-password.ts'
import { grantByRefreshToken } from './token-refresh.ts'

const GRANTS: Record<string, (parts: AuthParts, context: Context) => Promise<Response>> = {
  password: grantByPassword,
  refresh_token: grantByRefreshToken,
}

export function token(parts: AuthParts): Handler {
  return (context) => {
    const type = context.req.query('grant_type') ?? ''
    const grant = Object.hasOwn(GRANTS, type) ? GRANTS[type] : undefined
    if (!grant) throw new AuthError(400, 'invalid_credentials', 'unsupported_grant_type')
    return grant(parts, context)
  }
}
