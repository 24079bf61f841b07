// Each request has an id: in its answer, in what is logged of it, and in the name that its session has in Postgres.
import { randomUUID } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'

declare module 'hono' {
  interface ContextVariableMap {
    requestId: string
  }
}

const HEADER = 'X-Request-Id'
// No longer than lets the name of a session, of 63 bytes, hold it.
const ID = /^[\w.:-]{1,48}$/

/** Behind a proxy, the id that the proxy gives; nobody else chooses what is written into our logs. */
export function requestIds(trustProxy: boolean): MiddlewareHandler {
  return (context, next) => {
    const given = trustProxy ? context.req.header(HEADER) : undefined
    const id = given !== undefined && ID.test(given) ? given : randomUUID()
    context.set('requestId', id)
    context.header(HEADER, id)
    return next()
  }
}

/** The log, for what happens to this request. */
export const logOf = (context: Context, log: Logger): Logger =>
  log.child({ request: context.get('requestId') })
