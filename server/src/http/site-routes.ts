// Routes for browsers and monitors: the site's health, readiness and configuration.
import { setTimeout as pause } from 'node:timers/promises'
import { Hono } from 'hono'
import type { Logger } from 'pino'
import { type Config, type DemoAccount, isLoopback } from '#config.ts'
import type { Database } from '#db/database.ts'
import { PROJECT } from '#project.ts'
import type { PageHeads } from '#spa/page-heads.ts'
import { logOf } from './request-id.ts'

const READY_MS = 2_000
const NO_STORE = { 'Cache-Control': 'no-store' }

export function siteRoutes(parts: {
  config: Config
  db: Database
  heads: PageHeads
  anonKey: string
  demo: DemoAccount[]
  /** Aborted when the server begins to stop. */
  stopping: AbortSignal
  log: Logger
}): Hono {
  const { config, db, heads, anonKey, demo, stopping, log } = parts
  const about = { version: PROJECT.version, database: db.kind }
  const app = new Hono()
  // Checks only this process: restarting it would not help a broken database.
  app.get('/health', (context) => context.json({ status: 'ok', ...about }, 200, NO_STORE))
  // Tells a proxy whether it may send requests to this server now.
  app.get('/ready', async (context) => {
    const say = (status: 'ready' | 'stopping' | 'unavailable') =>
      status === 'ready'
        ? context.json({ status, disk: db.isDiskFull() ? 'full' : 'ok', ...about }, 200, NO_STORE)
        : context.json({ status, ...about }, 503, { ...NO_STORE, 'Retry-After': '1' })
    if (stopping.aborted) return say('stopping')
    try {
      await withinTime(db.query('select 1', [], { silentMs: READY_MS }))
      return say('ready')
    } catch (error) {
      logOf(context, log).error({ err: error }, 'The database does not answer')
      return say('unavailable')
    }
  })
  app.get('/config.json', (context) => {
    // People use 127.0.0.1 and localhost alike on their own machine, but a page must call the origin it came from. The
    // request's own origin is used only there: behind a proxy with TLS, it would look like plain HTTP.
    const here = new URL(context.req.url)
    const isHere = here.host !== new URL(config.siteUrl).host && isLoopback(here.hostname) && !config.exposed
    return context.json(
      {
        ...heads.texts(),
        supabaseUrl: isHere ? here.origin : config.siteUrl,
        supabaseAnonKey: anonKey,
        outbox: config.outbox,
        demo,
        logoKey: config.logoKey,
        socialLinks: config.socialLinks,
        signInWith: config.openidProviders.map(({ id, name }) => ({ id, name })),
        signInByMail: !config.openidOnly,
        version: PROJECT.version,
      },
      200,
      { 'Cache-Control': 'no-cache' },
    )
  })
  return app
}

/** Limits the wait; otherwise a monitor would wait as long as the database takes. */
async function withinTime<T>(answer: Promise<T>): Promise<T> {
  const late = pause(READY_MS, undefined, { ref: false }).then(() => {
    throw new Error(`No answer within ${READY_MS} ms`)
  })
  return Promise.race([answer, late])
}
