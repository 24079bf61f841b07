// Each request has an id: in its response, in its log lines, and in the name of its session in Postgres.
import { randomUUID } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'

declare module 'hono' {
  interface ContextVariableMap {
    requestId: string
  }
}

const HEADER = 'X-Request-Id'
// Short enough to fit into a session name, which has at most 63 bytes.
const ID = /^[\w.:-]{1,48}$/

/** Behind a proxy, the id set by the proxy; no other client chooses what appears in our logs. */
export function requestIds(trustProxy: boolean): MiddlewareHandler {
  return (context, next) => {
    const given = trustProxy ? context.req.header(HEADER) : undefined
    const id = given !== undefined && ID.test(given) ? given : randomUUID()
    context.set('requestId', id)
    context.header(HEADER, id)
    return next()
  }
}

/** The logger for this request. */
export const logOf = (context: Context, log: Logger): Logger =>
  log.child({ request: context.get('requestId') })
