// The embedded database: Postgres compiled to WebAssembly, one process, one connection, a folder on disk.

import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { Mutex, PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { pgcrypto } from '@electric-sql/pglite/contrib/pgcrypto'
import {
  type AppSettings,
  type Database,
  inRole,
  type Row,
  type Transaction,
  toDatabaseError,
} from './database.ts'
import { PgliteSession } from './pglite-session.ts'

// A quarter of the default: the operating system caches the folder's files as well.
const START_PARAMETERS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB']

const BEGIN = { text: 'begin' }
const BEGIN_READ_ONLY = { text: 'begin read only' }
const COMMIT = { text: 'commit' }

/** Opens the database in `dataDir` (undefined: in memory), optionally from a dump of another one. */
export async function openPglite(options: {
  dataDir?: string
  loadDataDir?: PGliteOptions['loadDataDir']
  settings?: AppSettings
}): Promise<Database & { dump(): Promise<Blob> }> {
  const pg = await PGlite.create({
    ...(options.dataDir !== undefined && { dataDir: options.dataDir }),
    ...(options.loadDataDir !== undefined && { loadDataDir: options.loadDataDir }),
    startParams: START_PARAMETERS,
    extensions: { pg_trgm, pgcrypto },
  })
  await pg.exec("set time zone 'UTC'")
  for (const [name, value] of Object.entries(options.settings ?? {}))
    await pg.exec(`set app.settings.${name} = '${value}'`)
  const session = new PgliteSession(pg)
  // One connection: whoever holds a transaction holds the database.
  const turn = new Mutex()

  const script = async (sql: string) => {
    await pg.exec(sql).catch((error: unknown) => {
      throw toDatabaseError(error)
    })
  }
  const inTransaction = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (pg.isInTransaction()) await pg.exec('rollback')
      throw error
    }
  }
  const query = async <R extends Row>(
    text: string,
    values: readonly (string | null)[] = [],
  ): Promise<R[]> => {
    const [rows = []] = await session.run([{ text, values }])
    return rows as R[]
  }
  return {
    kind: 'pglite',
    places: 1,
    query: (text, values) => turn.runExclusive(() => query(text, values)),
    transaction: <T>(work: (tx: Transaction) => Promise<T>, { role }: { role?: string | undefined } = {}) =>
      turn.runExclusive(() =>
        inRole(role, script, () =>
          inTransaction(async () => {
            await session.run([BEGIN])
            const result = await work({ query, script })
            await session.run([COMMIT])
            return result
          }),
        ),
      ),
    batch: (statements, { readOnly, beforeCommit } = {}) =>
      turn.runExclusive(() =>
        inTransaction(async () => {
          const begin = readOnly ? BEGIN_READ_ONLY : BEGIN
          // A read has nothing to take back, so it need not wait for what the caller says to its rows.
          if (readOnly || !beforeCommit) {
            const rows = (await session.run([begin, ...statements, COMMIT])).slice(1, -1)
            beforeCommit?.(rows)
            return rows
          }
          const results = (await session.run([begin, ...statements])).slice(1)
          beforeCommit(results)
          await session.run([COMMIT])
          return results
        }),
      ),
    listen: (channel, hear) => turn.runExclusive(() => pg.listen(channel, hear)),
    dump: () => turn.runExclusive(async () => await pg.dumpDataDir('none')),
    close: () => turn.runExclusive(() => pg.close()),
  }
}

// In a thread of its own: creating a cluster takes several hundred megabytes that only the end of the thread gives back.
const CREATE = `
  const { workerData } = require('node:worker_threads')
  import(workerData.pglite)
    .then(({ PGlite }) => PGlite.create({ dataDir: workerData.folder }))
    .then((pg) => pg.close())
`

/** Makes the folder of a new database. A start that is cut short leaves nothing that looks like a database. */
export async function ensurePgliteFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return
  const unfinished = `${folder}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await new Promise<void>((done, fail) => {
    const pglite = import.meta.resolve('@electric-sql/pglite')
    const worker = new Worker(CREATE, { eval: true, workerData: { pglite, folder: unfinished } })
    worker.once('error', fail)
    worker.once('exit', (code) =>
      code === 0 ? done() : fail(new Error(`Creating the database ended with ${code}`)),
    )
  })
  await rename(unfinished, folder)
}
