// The last catch: whatever nobody expected becomes one log line and an answer without insides.
import type { ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { Logger } from 'pino'

export function createFailureHandler(log: Logger): ErrorHandler {
  return (error, context) => {
    if (error instanceof HTTPException) return error.getResponse()
    log.error({ err: error, method: context.req.method, path: context.req.path }, 'A request failed')
    return context.json({ code: 'XX000', details: null, hint: null, message: 'Internal server error' }, 500)
  }
}
