// The address a request comes from, for limits per client.
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'

/** Behind a trusted proxy the last X-Forwarded-For entry, which that proxy wrote; else the socket's peer. */
export function createClientAddress(trustProxy: boolean): (context: Context) => string {
  return (context) => {
    const forwarded = trustProxy
      ? context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim()
      : undefined
    return forwarded || (getConnInfo(context).remote.address ?? 'unknown')
  }
}
