// `npm run bench:replica`: what a streaming replica (DATABASE_READ_URL) takes off the primary when visitors read, in turns without
// and with it. Both and the server run on this machine, so the throughput of two machines cannot show here. Printed only.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findPostgres, otherThanRoot } from '../scripts/postgres.mjs'
import { load } from '../scripts/run.mjs'
import { onPostgres } from './cluster.mjs'
import { fillPotluck, startPotluck } from './contestants/potluck.mjs'
import { median, sayLoad } from './figures.mjs'
import { drive, openConnections } from './load.mjs'
import { freePort } from './processes.mjs'
import { createMeter } from './processes-cost.mjs'
import { table } from './report.mjs'
import { toRequest } from './requests.mjs'

const PLANS = 10_000
const ROUNDS = 3
const SECONDS = 5

const CALLS = [
  () => ({ method: 'POST', path: '/rest/v1/rpc/market_plans', body: { p_cheapest: false, p_limit: 12 } }),
  (n) => ({
    method: 'POST',
    path: '/rest/v1/rpc/market_plan',
    body: { p_id: `sub-crowd-${((n * 7919) % PLANS) + 1}` },
  }),
]

export const measure = () =>
  onPostgres('replica', async (cluster, folder) => {
    const parts = await load('bench/server-parts.mjs')
    const place = { folder, databaseUrl: await cluster.create('site') }
    await fillPotluck(
      place,
      async (db) => {
        await parts.shareManyPlans(db, PLANS)
        await db.query('vacuum analyze')
      },
      parts,
    )
    const standby = await startStandby(place.databaseUrl)
    const servers = []
    try {
      // Visitors of one address have two places of ten, so each request comes from another.
      const settings = { TRUST_PROXY: 'on' }
      servers.push(await startPotluck({ ...place, settings }))
      servers.push(
        await startPotluck({ ...place, settings: { ...settings, DATABASE_READ_URL: standby.url } }),
      )
      await pause(5_000)
      const rounds = servers.map(() => [])
      for (let round = 0; round <= ROUNDS; round += 1)
        for (const [place, server] of servers.entries()) {
          const figures = await ask(server, cluster.pid, standby.pid)
          if (round > 0) rounds[place].push(figures)
        }
      const cell = (figures, name) => median(figures.map((one) => one[name])).toFixed(2)
      console.log(
        `\n${table([
          ['visitors read', 'requests/s', 'p99 ms', 'ms of the primary a request', 'of the replica'],
          ...['without a replica', 'with a replica'].map((name, place) => [
            name,
            ...['perSecond', 'p99', 'primary', 'replica'].map((figure) => cell(rounds[place], figure)),
          ]),
        ])}`,
      )
      sayLoad()
    } finally {
      for (const server of servers) await server.stop()
      await standby.stop()
    }
  })

/** Processor time is in milliseconds a request. */
async function ask(server, ...pids) {
  const connections = openConnections(server.url)
  const meters = pids.map((pid) => createMeter([], pid))
  for (const meter of meters) meter.start()
  const { perSecond, p99 } = await drive(
    (n) => {
      const headers = { 'x-forwarded-for': `10.1.${Math.floor(n / 250) % 250}.${n % 250}` }
      return connections.send(toRequest({ ...CALLS[n % CALLS.length](n), headers }, server), 200)
    },
    { seconds: SECONDS },
  )
  const [primary, replica] = meters.map((meter) => (meter.stop().postgres.cores / perSecond) * 1000)
  await connections.close()
  return { perSecond, p99, primary, replica }
}

/** A copy of the whole cluster beside it, as pg_basebackup makes it. */
async function startStandby(primary) {
  const bin = findPostgres()
  const at = mkdtempSync(join(tmpdir(), 'potluck-bench-standby-'))
  const other = otherThanRoot()
  if (other.uid !== undefined) chownSync(at, other.uid, other.gid)
  const options = { ...other, cwd: at, stdio: 'ignore' }
  const data = join(at, 'data')
  execFileSync(join(bin, 'pg_basebackup'), ['-d', primary, '-D', data, '-R', '-c', 'fast'], options)
  const port = await freePort()
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), '-k', at, '-c', 'listen_addresses=127.0.0.1'],
    options,
  )
  return {
    pid: server.pid,
    url: Object.assign(new URL(primary), { port }).href,
    stop: async () => {
      const ended = once(server, 'exit')
      server.kill('SIGINT')
      await ended
      rmSync(at, { recursive: true, force: true })
    },
  }
}
