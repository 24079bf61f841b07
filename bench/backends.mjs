// Sets up all contestants on one backend, measures them and shuts them down.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillLite, startLite } from './contestants/lite.mjs'
import { fillPotluck, startPotluck } from './contestants/potluck.mjs'
import { recordStatements, startRaw } from './contestants/raw.mjs'
import { runRounds } from './rounds.mjs'

/** The rows of runRounds on PGlite, or on a Postgres cluster if one is given. */
export async function measureBackend(parts, cluster, options) {
  const folder = mkdtempSync(join(tmpdir(), 'potluck-bench-'))
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
    await fillPotluck(parts, ours)
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
    rmSync(folder, { recursive: true, force: true })
  }
}
