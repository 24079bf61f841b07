// What a browser or a monitor asks about the site itself: whether it is healthy, and how it is set up.
import { setTimeout as pause } from 'node:timers/promises'
import { Hono } from 'hono'
import type { Logger } from 'pino'
import { type Config, type DemoAccount, isLoopback } from '#config.ts'
import type { Database } from '#db/database.ts'
import { PROJECT } from '#project.ts'

const HEALTH_MS = 2_000

export function siteRoutes(parts: {
  config: Config
  db: Database
  anonKey: string
  demo: DemoAccount[]
  log: Logger
}): Hono {
  const { config, db, anonKey, demo, log } = parts
  const app = new Hono()
  app.get('/health', async (context) => {
    const about = { version: PROJECT.version, database: db.kind }
    try {
      await withinTime(db.query('select 1'))
      return context.json({ status: 'ok', ...about }, 200, { 'Cache-Control': 'no-store' })
    } catch (error) {
      log.error({ err: error }, 'The database does not answer')
      return context.json({ status: 'unavailable', ...about }, 503, { 'Cache-Control': 'no-store' })
    }
  })
  app.get('/config.json', (context) => {
    // On this machine people open 127.0.0.1 and localhost alike; the page must call the origin it came from.
    const here = new URL(context.req.url)
    return context.json(
      {
        supabaseUrl: isLoopback(here.hostname) && !config.exposed ? here.origin : config.siteUrl,
        supabaseAnonKey: anonKey,
        outbox: config.outbox,
        demo,
        logoKey: config.logoKey,
        operatorName: config.operatorName,
        socialLinks: config.socialLinks,
        version: PROJECT.version,
      },
      200,
      { 'Cache-Control': 'no-cache' },
    )
  })
  return app
}

/** A monitor that is told nothing would wait as long as the database does. */
async function withinTime<T>(answer: Promise<T>): Promise<T> {
  const late = pause(HEALTH_MS, undefined, { ref: false }).then(() => {
    throw new Error(`No answer within ${HEALTH_MS} ms`)
  })
  return Promise.race([answer, late])
}
