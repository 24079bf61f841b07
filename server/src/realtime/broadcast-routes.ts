// Broadcasts over HTTP, for senders that hold no socket.
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { z } from 'zod'
import { type Identify, Refused } from '#identity/caller.ts'
import type { Topics } from './topics.ts'

const MAX_BODY_BYTES = 1024 * 1024

const message = z.object({
  topic: z.string().min(1).max(255),
  event: z.string().min(1).max(255),
  payload: z.record(z.string(), z.unknown()),
  private: z.boolean().optional(),
})
const messages = z.object({ messages: z.array(message).min(1).max(100) })

/** Routes below `/realtime/v1`. Private messages need policies this server has none of, so they reach nobody. */
export function broadcastRoutes({ identify, topics }: { identify: Identify; topics: Topics }): Hono {
  const send = ({ topic, event, payload, private: isPrivate }: z.infer<typeof message>) => {
    if (!isPrivate) topics.broadcast(`realtime:${topic}`, event, payload)
  }
  return new Hono()
    .use('/api/*', requireKey(identify))
    .use(
      '/api/*',
      bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (c) => c.json({ error: 'Payload Too Large' }, 413) }),
    )
    .post('/api/broadcast', async (c) => {
      const parsed = messages.safeParse(await readJson(c.req.raw))
      if (!parsed.success) return c.json({ errors: problems(parsed.error) }, 422)
      for (const one of parsed.data.messages) send(one)
      return c.body(null, 202)
    })
    .post('/api/broadcast/:topic/events/:event', async (c) => {
      const parsed = message.safeParse({
        topic: c.req.param('topic'),
        event: c.req.param('event'),
        payload: await readJson(c.req.raw),
        private: c.req.query('private') === 'true',
      })
      if (!parsed.success) return c.json({ errors: problems(parsed.error) }, 422)
      send(parsed.data)
      return c.body(null, 202)
    })
}

function requireKey(identify: Identify) {
  return createMiddleware(async (c, next) => {
    try {
      await identify(c.req.raw)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return c.json({ message: error.message }, 401)
    }
    await next()
  })
}

// What is no JSON fails the schema like any other wrong body.
async function readJson(request: Request): Promise<unknown> {
  const text = await request.text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function problems(error: z.ZodError): Record<string, string[]> {
  return z.flattenError(error).fieldErrors as Record<string, string[]>
}
