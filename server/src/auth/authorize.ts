// GET /authorize: signing in through another provider. None is configured on this server.
import type { Handler } from 'hono'
import { invalid } from './errors.ts'

export const authorize = (): Handler => () => {
  throw invalid('Unsupported provider: provider is not enabled')
}
