// GET /.well-known/jwks.json. Tokens are signed with a shared secret, and such a key is never published.
import type { Handler } from 'hono'

export const jwks = (): Handler => (context) =>
  context.json({ keys: [] }, 200, { 'Cache-Control': 'public, max-age=600' })
