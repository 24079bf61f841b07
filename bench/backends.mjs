// Sets up all contestants on one backend, measures them and shuts them down.
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CALLS, requestsOf } from './calls.mjs'
import { inFolder } from './cluster.mjs'
import { fillLite, startLite } from './contestants/lite.mjs'
import { fillPotluck, startPotluck } from './contestants/potluck.mjs'
import { recordStatements, startRaw } from './contestants/raw.mjs'
import { median } from './figures.mjs'
import { drive, openConnections } from './load.mjs'

const DATA = readFileSync(join(import.meta.dirname, 'data.sql'), 'utf8')

/** Returns the rows of runRounds on PGlite, or on a Postgres cluster if one is given. */
export const measureBackend = (parts, cluster, options) =>
  inFolder('backend', (folder) => measureIn(folder, parts, cluster, options))

async function measureIn(folder, parts, cluster, options) {
  const place = async (name, template) => ({
    folder: join(folder, name),
    ...(cluster && { databaseUrl: await cluster.create(name, template) }),
  })
  const running = []
  const started = async (starting) => {
    const server = await starting
    running.push(server)
    return server
  }
  try {
    options.onStep('filling a database for our server')
    const ours = await place('potluck')
    const fill = async (db) => {
      await db.transaction((tx) => tx.script(DATA))
      await db.query('vacuum analyze')
    }
    await fillPotluck(ours, fill, parts)
    options.onStep('filling a database for the peer')
    const lite = await place('lite')
    await fillLite(lite)
    options.onStep('recording the statements for the bare driver')
    const bare = await place('bare', 'potluck')
    cpSync(ours.folder, bare.folder, { recursive: true })
    const statements = await recordStatements(parts, bare)

    const contestants = {
      ours: await started(startPotluck(ours)),
      peer: await started(startLite(lite)),
      raw: await started(startRaw(bare, statements)),
    }
    return await runRounds(contestants, options)
  } finally {
    for (const server of running) await server.stop()
  }
}

/**
 * Measures every contestant on every call, in turns, so that other work of the machine affects all of them alike.
 * `contestants`: name -> { url, apikey, secret } or { run }. Returns a row per call: { call, ours, peer, raw }, each
 * with the medians over the rounds of { perSecond, p50, p99 }.
 */
async function runRounds(contestants, { rounds, seconds, warmUp, onStep }) {
  const rows = []
  for (const [index, call] of CALLS.entries()) {
    const runners = await Promise.all(
      Object.entries(contestants).map(async ([name, contestant]) => ({
        name,
        results: [],
        ...(contestant.run
          ? { run: (time, from) => contestant.run(index, time, from), close: async () => undefined }
          : await overHttp(contestant, call)),
      })),
    )
    for (const runner of runners) runner.next = (await runner.run(warmUp, 0)).next
    for (let round = 0; round < rounds; round += 1) {
      for (let turn = 0; turn < runners.length; turn += 1) {
        const runner = runners[(round + turn) % runners.length]
        const result = await runner.run(seconds, runner.next)
        runner.next = result.next
        runner.results.push(result)
      }
      onStep(`${call.name}: round ${round + 1} of ${rounds}`)
    }
    for (const runner of runners) await runner.close()
    const medians = runners.map(({ name, results }) => [name, medianOf(results)])
    rows.push({ call: call.name, ...Object.fromEntries(medians) })
  }
  return rows
}

async function overHttp(contestant, call) {
  const connections = openConnections(contestant.url)
  const requests = requestsOf(call, contestant)
  const first = await connections.send(requests[0], call.status)
  if (!call.check(JSON.parse(first)))
    throw new Error(`${contestant.url} answered "${call.name}" with ${first}`)
  return {
    run: (seconds, from) =>
      drive((n) => connections.send(requests[n % requests.length], call.status), { seconds, from }),
    close: connections.close,
  }
}

function medianOf(results) {
  const of = (key) => median(results.map((result) => result[key]))
  return { perSecond: of('perSecond'), p50: of('p50'), p99: of('p99') }
}
