// Wires the parts together: one HTTP server for auth, the Data API, realtime and the web app.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { Logger } from 'pino'
import { createAuth } from './auth/create.ts'
import { type Config, readDemoAccounts } from './config.ts'
import { startScheduler } from './cron/scheduler.ts'
import { type Database, forPeople } from './db/database.ts'
import { freeBytesOf } from './db/disk-reserve.ts'
import { appSettings } from './db/open.ts'
import { openReplica } from './db/replica.ts'
import { type TurnLimits, Turns, turnLimits } from './db/turns.ts'
import { createFunctions, functionScript } from './functions/create.ts'
import { runStartChecks } from './functions/start-checks.ts'
import { apiCors } from './http/cors.ts'
import { reportFailure } from './http/failure.ts'
import { announceLeaving, quietTurn } from './http/leaving.ts'
import { createMetrics, metricsRoutes } from './http/metrics.ts'
import { watchOpenFiles } from './http/open-files.ts'
import { addProjectMetrics } from './http/project-metrics.ts'
import { logOf, requestIds } from './http/request-id.ts'
import { readPageSources, readPictureSources, securityHeaders } from './http/security-headers.ts'
import { siteRoutes } from './http/site-routes.ts'
import { createIdentify, type ProjectKeys } from './identity/caller.ts'
import { createTokens } from './identity/tokens.ts'
import { createMailer } from './mail/mailer.ts'
import { outboxRoutes } from './mail/outbox-routes.ts'
import { openOutgoingMail } from './mail/outgoing.ts'
import { startHttpRequests } from './net/http-requests.ts'
import { PROJECT } from './project.ts'
import { LIMITS } from './realtime/limits.ts'
import { startRealtime } from './realtime/realtime.ts'
import { restRoutes } from './rest/routes.ts'
import { deriveKeys, readOrCreateSecret } from './secrets.ts'
import { createDrawing } from './spa/drawing.ts'
import { spaRoutes } from './spa/files.ts'
import { readPageHeads } from './spa/page-heads.ts'

export interface RunningApp {
  url: string
  keys: ProjectKeys
  /** Notices for the operator that the project's functions returned at the start. */
  notices: readonly string[]
  /** Disconnects clients, and waits for running jobs, functions and requests to finish; the database stays open. */
  close(): Promise<void>
}

// The longest time in ms that a stopping server waits for running jobs, and then again for open requests. Container
// runtimes kill a process after ten seconds.
const DRAIN_MS = 4_000
// How long in ms a stopping server keeps serving. A proxy polls /ready every second or two, and closes its idle
// connections (`keepalive_timeout` in deploy/nginx.conf). A sheltered server has no proxy in front of it, so it does
// not wait.
const GRACE_MS = 3_000
// How long in ms an idle connection stays open: longer than the minute for which proxies keep idle connections, so that
// no proxy sends a request on a connection that this server is closing.
const KEEP_ALIVE_MS = 75_000
const withinTime = (work: Promise<unknown>) =>
  Promise.race([work, pause(DRAIN_MS, undefined, { ref: false })])

export interface AppLimits {
  /** A request that has not fully arrived within this time is refused with 408, and its connection closed. */
  requestMs?: number
  /** How long in ms a stopping server still accepts connections and keeps idle ones open. */
  graceMs?: number
  turns?: Partial<TurnLimits>
  /** See config.startChecks. */
  checks?: readonly string[]
}

/** Starts serving on the configured address. Port 0 does not work here: links in mails contain the port. */
export async function startApp(
  config: Config,
  db: Database,
  log: Logger,
  {
    requestMs = 30_000,
    graceMs = config.sheltered ? 0 : GRACE_MS,
    turns: limits = {},
    checks = [],
  }: AppLimits = {},
): Promise<RunningApp> {
  const secret = config.jwtSecret ?? (await readOrCreateSecret(config.dataDir))
  const tokens = createTokens(secret)
  const keys = await deriveKeys(secret)
  const identify = createIdentify(tokens, keys)
  const turns = new Turns({ ...turnLimits(db.places), ...limits })
  const metrics = createMetrics(db, turns)
  const stopping = new AbortController()
  const replica =
    config.databaseReadUrl &&
    openReplica(
      { db, url: config.databaseReadUrl, log },
      { max: config.databasePool, settings: appSettings(config) },
    )
  const realtime = await startRealtime({
    ...{ db, identify, tokens, log },
    trustProxy: config.trustProxy,
    limits: { ...LIMITS, ...config.realtimeLimits },
  })
  const serverOptions = {
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.ceil(requestMs / 10),
    keepAliveTimeout: KEEP_ALIVE_MS,
  }
  // Functions call the Data API through this internal server, even when the public port no longer accepts connections.
  const inner = createServer(serverOptions)
  await once(inner.listen(0, '127.0.0.1'), 'listening')
  const innerUrl = `http://127.0.0.1:${(inner.address() as AddressInfo).port}`
  /** Calls an edge function with the service key. */
  const callFunction = (path: string, init: RequestInit) =>
    fetch(`${innerUrl}/functions/v1/${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${keys.service}` },
    })
  const outgoing = await openOutgoingMail({
    db,
    mailer: createMailer({ db, smtpUrl: config.smtpUrl, from: config.mailFrom }),
    callFunction,
    siteUrl: config.siteUrl,
    mails: metrics.mails,
    log,
  })
  const auth = await createAuth({ config, db: forPeople(db), tokens, identify, outgoing, log })
  // The key that lets a function pass its visitor's IP address to the Data API (see restRoutes).
  const onBehalf = randomUUID()
  const functions = createFunctions({
    ...{ config, innerUrl, db: forPeople(db), keys, tokens, onBehalf, log },
    failures: metrics.failures,
  })
  metrics.measure('realtime_sockets', 'Open sockets for live updates', realtime.sockets)
  metrics.measure('disk_free_bytes', 'Space on the disk of the data folder; NaN without such a folder', () =>
    existsSync(config.dataDir) ? freeBytesOf(config.dataDir)() : Number.NaN,
  )

  const app = new Hono()
  app.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse()
    const { status, body, headers } = reportFailure(error, context.req, logOf(context, log))
    return context.json(body, status, headers)
  })
  app.use(requestIds(config.trustProxy))
  for (const api of ['/auth/v1/*', '/rest/v1/*', '/realtime/v1/*']) app.use(api, apiCors)
  app.route('/auth/v1', auth.routes)
  app.route(
    '/rest/v1',
    restRoutes({
      db,
      reads: replica || undefined,
      identify,
      turns,
      trustProxy: config.trustProxy,
      onBehalf,
      log,
    }),
  )
  app.route('/realtime/v1', realtime.routes)
  // An unknown API path must not be answered with the web app's page.
  for (const service of ['auth', 'rest', 'realtime', 'storage', 'functions', 'graphql']) {
    app.all(`/${service}/v1/*`, (context) =>
      context.json({ code: 'not_found', message: 'There is nothing here' }, 404),
    )
  }
  const pages = new Hono()
  const pictureSources = [...readPictureSources(config.webDir), ...auth.pictureSources]
  pages.use(
    securityHeaders(config.siteUrl, pictureSources, readPageSources(config.webDir, config.environment)),
  )
  const drawing = createDrawing({
    webDir: config.webDir,
    script: functionScript(config),
    env: { SUPABASE_URL: innerUrl, SITE_URL: config.siteUrl, ON_BEHALF_KEY: onBehalf },
    log,
  })
  const demo = readDemoAccounts(config)
  const heads = await readPageHeads(db, log, new URL(config.siteUrl).host)
  pages.route(
    '/',
    siteRoutes({ config, db, heads, anonKey: keys.anon, demo, stopping: stopping.signal, log }),
  )
  pages.route(
    '/',
    metricsRoutes(metrics.registry, {
      ...{ token: config.metricsToken, open: config.sheltered },
      refresh: addProjectMetrics(metrics.registry, db, log),
    }),
  )
  if (config.outbox) pages.route('/', outboxRoutes({ db, outgoing }))
  pages.route(
    '/',
    await spaRoutes(
      config.webDir,
      { SITE_URL: config.siteUrl, VERSION: PROJECT.version },
      { heads, drawing, trustProxy: config.trustProxy },
    ),
  )
  app.route('/', pages)

  const serveOthers = getRequestListener(app.fetch)
  const listener: RequestListener = (incoming, outgoing) =>
    void (functions.isFor(incoming) ? functions.serve(incoming, outgoing) : serveOthers(incoming, outgoing))
  inner.on('request', listener)
  const notices = await runStartChecks(checks, callFunction).catch(async (error: unknown) => {
    await Promise.all([functions.close(), realtime.close(), replica ? replica.close() : undefined])
    inner.close()
    throw error
  })
  const server = createServer(serverOptions, listener)
  server.on('upgrade', realtime.upgrade)
  const leave = announceLeaving(server)
  for (const each of [server, inner]) metrics.watch(each)
  await once(server.listen(config.port, config.host), 'listening')
  await outgoing.start()
  const endWatch = watchOpenFiles(log)
  const httpRequests = await startHttpRequests({ db, log })
  const scheduler = await startScheduler({ db, log, jobs: metrics.jobs })
  return {
    url: config.siteUrl,
    keys,
    notices,
    close: async () => {
      stopping.abort()
      endWatch()
      leave()
      // Jobs call functions through the server, so it still serves while they finish.
      const jobs = Promise.all([outgoing.close(), httpRequests.close(), scheduler.close()])
      await Promise.all([withinTime(jobs), pause(graceMs)])
      // Gives the server a turn to read data that has arrived and to accept waiting connections, because closing
      // connections would reset them.
      await quietTurn()
      server.closeIdleConnections()
      await quietTurn()
      const closed = new Promise((done) => server.close(done))
      await realtime.close()
      await withinTime(closed)
      server.closeAllConnections()
      await Promise.all([functions.close(), drawing?.close()])
      inner.close()
      inner.closeAllConnections()
      if (replica) await replica.close()
    },
  }
}
