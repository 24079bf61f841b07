// Runs the bare driver in a separate process, with the statements that our server runs for the same requests.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { CALLS, requestsOf } from '../calls.mjs'
import { openConnections } from '../load.mjs'
import { freePort } from '../processes.mjs'
import { environment } from './potluck.mjs'

/** Serves a filled database once in this process, and records the statements of each request. */
export async function recordStatements(parts, place) {
  const port = await freePort()
  const config = parts.readConfig(environment({ ...place, port }))
  const db = await parts.openDatabase(config)
  let seen = []
  const watched = {
    ...db,
    batch: (statements, options) => {
      seen.push({ statements })
      return db.batch(statements, options)
    },
  }
  const app = await parts.startApp(config, watched, pino({ level: 'error' }))
  const connections = openConnections(app.url)
  const recorded = []
  for (const call of CALLS) {
    const transactions = []
    for (const request of requestsOf(call, { apikey: app.keys.anon, secret: config.jwtSecret })) {
      seen = []
      await connections.send(request, call.status)
      // Statements of scheduled jobs are left out.
      const { pathname } = new URL(request.path, app.url)
      const isOfCall = (value) => value?.startsWith('/') && pathname.endsWith(value)
      seen = seen.filter(({ statements }) => statements.some(({ values }) => values?.some(isOfCall)))
      if (seen.length !== 1) throw new Error(`"${call.name}" took ${seen.length} transactions instead of one`)
      transactions.push(seen[0])
    }
    recorded.push(transactions)
  }
  await connections.close()
  await app.close()
  await db.close()
  const file = join(place.folder, 'statements.json')
  writeFileSync(file, JSON.stringify(recorded))
  return file
}

/** Returns { run(call, seconds, from), stop }; `call` is an index into CALLS. */
export async function startRaw({ folder, databaseUrl }, statements) {
  const target = databaseUrl ?? join(folder, 'pglite')
  const child = fork(join(import.meta.dirname, 'raw-process.mjs'), [target, statements])
  const ended = once(child, 'exit')
  const failed = ended.then(([code]) => {
    throw new Error(`The bare driver ended with ${code}`)
  })
  // Prevents an unhandled rejection; `ask` reports the failure while a response is pending.
  failed.catch(() => undefined)
  const ask = async (question) => {
    child.send(question)
    const [answer] = await Promise.race([once(child, 'message'), failed])
    return answer
  }
  await ask({ ready: true })
  return {
    run: (call, seconds, from) => ask({ call, seconds, from }),
    stop: async () => {
      if (child.connected) child.send({ stop: true })
      await ended
    },
  }
}
