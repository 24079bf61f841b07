// Broadcasts over HTTP, for senders without a socket.
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { z } from 'zod'
import type { Database } from '#db/database.ts'
import { type Identify, Refused } from '#identity/caller.ts'
import { mayNot, maySend, PRIVATE_ONLY } from './authorization.ts'
import type { Catalogue } from './catalogue.ts'
import { type Credentials, JoinRefused, requireAdmission, toCredentials } from './credentials.ts'
import type { Topics } from './groups.ts'
import type { Limits } from './limits.ts'

const MAX_BODY_BYTES = 1024 * 1024

interface BroadcastParts {
  db: Database
  identify: Identify
  catalogue: Pick<Catalogue, 'preRequest'>
  topics: Topics
  limits: Limits
}

type Sent = { Variables: { sender: Credentials } }

/** Routes below `/realtime/v1`. If one of several messages is refused, none is sent. */
export function broadcastRoutes({ db, identify, catalogue, topics, limits }: BroadcastParts): Hono {
  const fits = (payload: object) => Buffer.byteLength(JSON.stringify(payload)) <= limits.frameBytes
  const message = z.object({
    topic: z.string().min(1).max(255),
    event: z.string().min(1).max(255),
    payload: z.record(z.string(), z.unknown()).refine(fits, 'Payload size exceeds tenant limit'),
    private: z.boolean().optional(),
  })
  const messages = z.object({ messages: z.array(message).min(1).max(100) })

  async function send(c: Context<Sent>, body: unknown): Promise<Response> {
    const parsed = messages.safeParse(body)
    if (!parsed.success) return c.json({ errors: z.flattenError(parsed.error).fieldErrors }, 422)
    const all = parsed.data.messages
    if (!all.every((one) => one.private)) return c.json({ message: PRIVATE_ONLY }, 403)
    for (const topic of new Set(all.map((one) => one.topic))) {
      const allowed = await maySend(db, c.get('sender'), topic)
      if (!allowed) return c.json({ message: mayNot('write to', topic) }, 403)
    }
    for (const { topic, event, payload } of all) topics.broadcast(`realtime:${topic}`, event, payload)
    return c.body(null, 202)
  }

  const routes = new Hono<Sent>()
    .use('/api/*', identifySender({ db, identify, catalogue }))
    .use(
      '/api/*',
      bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (c) => c.json({ error: 'Payload Too Large' }, 413) }),
    )
    .post('/api/broadcast', async (c) => send(c, await readJson(c)))
    .post('/api/broadcast/:topic/events/:event', async (c) => {
      const payload = await readJson(c)
      const isPrivate = c.req.query('private') === 'true'
      return send(c, { messages: [{ ...c.req.param(), payload, private: isPrivate }] })
    })
  return new Hono().route('/', routes)
}

function identifySender({ db, identify, catalogue }: Pick<BroadcastParts, 'db' | 'identify' | 'catalogue'>) {
  return createMiddleware<Sent>(async (c, next) => {
    try {
      const { token, parsed } = await identify(c.req.raw)
      const sender = toCredentials(token, parsed)
      await requireAdmission({ db, catalogue }, sender)
      c.set('sender', sender)
    } catch (error) {
      if (!(error instanceof Refused || error instanceof JoinRefused)) throw error
      return c.json({ message: error.message }, 401)
    }
    await next()
  })
}

// A body that is not JSON fails the schema, like any other invalid body.
const readJson = (c: Context): Promise<unknown> => c.req.json().catch(() => undefined)
