// Metrics for Prometheus: number and duration of requests by kind, and queue lengths.
import type { Server } from 'node:http'
import { Hono } from 'hono'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '#db/database.ts'
import type { Turns } from '#db/turns.ts'
import { PROJECT } from '#project.ts'
import { isSame } from '#secrets.ts'

const SERVICE = /^\/(auth|rest|realtime|functions)\/v1\//
// The upper bounds of the buckets, in seconds.
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

export interface Metrics {
  registry: Registry
  /** Adds a gauge whose value is read whenever the metrics are. */
  measure(name: string, help: string, read: () => number): void
  /** Runs of scheduled jobs, by `job` and `outcome`. */
  jobs: Counter<'job' | 'outcome'>
  /** Mails passed to the mail server, by `outcome`. */
  mails: Counter<'outcome'>
  /** Requests that an edge function failed to answer, by `function`. */
  failures: Counter<'function'>
  /** Counts the server's requests, from arrival to the last byte of the response. */
  watch(server: Server): void
}

/** Creates the metrics of one server, which have their own registry. */
export function createMetrics(db: Database, turns: Turns): Metrics {
  const registers = [new Registry()] as [Registry]
  const [registry] = registers
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'build_info',
    help: '1, with the version of the project and of Node',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: PROJECT.version, node: process.versions.node }, 1)
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Seconds from a request to the last byte of its answer, by service, method and status; 499: the client hung up first',
    labelNames: ['service', 'method', 'status'],
    buckets: BUCKETS,
    registers,
  })
  new Gauge({
    name: 'database_connections',
    help: 'Connections to Postgres: open, of these idle, and requests waiting for one (more than 0 for long: raise DATABASE_POOL)',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(db.connections?.() ?? {})) this.set({ state }, count)
    },
  })
  new Gauge({
    name: 'data_requests',
    help: 'Requests of the Data API: running in the database, waiting for their turn, and the number of callers they are from',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(turns.state)) this.set({ state }, count)
    },
  })
  const measure: Metrics['measure'] = (name, help, read) =>
    void new Gauge({
      ...{ name, help, registers },
      collect() {
        this.set(read())
      },
    })
  measure(
    'disk_full',
    '1 while the database refuses to write for lack of disk space, and only reads work',
    () => Number(db.isDiskFull()),
  )
  return {
    registry,
    measure,
    jobs: new Counter({
      name: 'jobs_total',
      help: 'Runs of scheduled jobs by this server, by id in the table cron.job, and outcome: succeeded or failed',
      labelNames: ['job', 'outcome'],
      registers,
    }),
    mails: new Counter({
      name: 'mails_total',
      help: 'Mails given to the mail server (sent), or refused by it or never delivered to it (failed; tried again unless refused)',
      labelNames: ['outcome'],
      registers,
    }),
    failures: new Counter({
      name: 'function_failures_total',
      help: 'Requests that a function failed to answer: it broke, hung or did not start',
      labelNames: ['function'],
      registers,
    }),
    watch: (server) => {
      server.on('request', ({ url = '', method = '' }, response) => {
        const began = process.hrtime.bigint()
        response.once('close', () => {
          const service = SERVICE.exec(url)?.[1] ?? 'site'
          // A client that disconnects early counts as 499, as in proxies.
          const status = response.writableFinished ? response.statusCode : 499
          durations.observe(
            { service, method, status },
            Number(process.hrtime.bigint() - began) / 1_000_000_000,
          )
        })
      })
    },
  }
}

/**
 * GET /metrics requires the token. If no token is configured, the page is open on a sheltered server and 404 on others.
 */
export function metricsRoutes(
  registry: Registry,
  access: { token: string | undefined; open: boolean; refresh: () => Promise<void> },
): Hono {
  const app = new Hono()
  // Without this route, the web app would serve its page at this URL.
  if (access.token === undefined && !access.open)
    return app.get('/metrics', (context) => context.text('There is nothing here\n', 404))
  app.get('/metrics', async (context) => {
    const given = context.req.header('authorization') ?? ''
    if (access.token !== undefined && !isSame(given, `Bearer ${access.token}`))
      return context.text('The token of METRICS_TOKEN is missing\n', 401, { 'WWW-Authenticate': 'Bearer' })
    await access.refresh()
    return context.text(await registry.metrics(), 200, {
      'Content-Type': registry.contentType,
      'Cache-Control': 'no-store',
    })
  })
  return app
}
