// Sets up all contestants on one backend, measures them and takes them down again.
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inFolder } from './cluster.mjs'
import { fillLite, startLite } from './contestants/lite.mjs'
import { fillPotluck, startPotluck } from './contestants/potluck.mjs'
import { recordStatements, startRaw } from './contestants/raw.mjs'
import { runRounds } from './rounds.mjs'

const DATA = readFileSync(join(import.meta.dirname, 'data.sql'), 'utf8')

/** The rows of runRounds on PGlite, or on a Postgres cluster when one is given. */
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
