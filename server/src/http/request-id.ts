// Request ids, which appear in responses, in log lines, and in the name of the session in Postgres.
import { randomUUID } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'

declare module 'hono' {
  interface ContextVariableMap {
    requestId: string
  }
}

export const REQUEST_ID = 'X-Request-Id'
// Fits into a session name, which has at most 63 bytes.
const ID = /^[\w.:-]{1,48}$/

/** Returns the id that a trusted proxy has given, or else a new one: clients must not choose the ids in our logs. */
export function requestIdOf(trustProxy: boolean, given: string | string[] | undefined): string {
  return trustProxy && typeof given === 'string' && ID.test(given) ? given : randomUUID()
}

export function requestIds(trustProxy: boolean): MiddlewareHandler {
  return (context, next) => {
    const id = requestIdOf(trustProxy, context.req.header(REQUEST_ID))
    context.set('requestId', id)
    context.header(REQUEST_ID, id)
    return next()
  }
}

export const logOf = (context: Context, log: Logger): Logger =>
  log.child({ request: context.get('requestId') })
