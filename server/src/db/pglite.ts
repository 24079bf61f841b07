// The embedded database: Postgres compiled to WebAssembly, with one connection, stored in a folder on disk.

import { once } from 'node:events'
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
  type Statement,
  type Transaction,
  toDatabaseError,
} from './database.ts'
import { createReserve, type FreeBytes, freeBytesOf } from './disk-reserve.ts'
import { PgliteSession } from './pglite-session.ts'

// A quarter of the default, because the operating system caches the folder's files as well.
const START_PARAMETERS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB']

const BEGIN = { text: 'begin' }
const COMMIT = { text: 'commit' }

/**
 * Opens the database in `dataDir` (undefined: in memory), optionally from a dump of another database. Writes are
 * refused while the disk is nearly full; `freeBytes` returns the free bytes of that disk.
 */
export async function openPglite(options: {
  dataDir?: string
  loadDataDir?: PGliteOptions['loadDataDir']
  settings?: AppSettings
  freeBytes?: FreeBytes
}): Promise<Database & { dump(): Promise<Blob> }> {
  const pg = await PGlite.create({
    ...(options.dataDir !== undefined && { dataDir: options.dataDir }),
    ...(options.loadDataDir !== undefined && { loadDataDir: options.loadDataDir }),
    startParams: START_PARAMETERS,
    extensions: { pg_trgm, pgcrypto },
  })
  await pg.exec("set time zone 'UTC'")
  // The lock of a sleeping reader of changes (platform/30_realtime.sql) excludes other sessions, and there are none.
  await pg.exec("set realtime.always_ring = 'on'")
  for (const [name, value] of Object.entries(options.settings ?? {}))
    await pg.exec(`set app.settings.${name} = '${value}'`)
  const session = new PgliteSession(pg)
  const reserve = createReserve(
    options.freeBytes ??
      (options.dataDir === undefined ? () => Number.POSITIVE_INFINITY : freeBytesOf(options.dataDir)),
  )
  // There is one connection: while a transaction holds it, all others wait.
  const mutex = new Mutex()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    mutex.runExclusive(async () => {
      await reserve.look(script)
      return work()
    })

  const script = async (sql: string) => {
    await pg.exec(sql).catch((error: unknown) => {
      throw reserve.explain(toDatabaseError(error))
    })
  }
  const run = (statements: readonly Statement[]) =>
    session.run(statements).catch((error: unknown) => {
      throw reserve.explain(error)
    })
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
    const [rows = []] = await run([{ text, values }])
    return rows as R[]
  }
  const inside: Transaction = {
    query: async (text, values) => {
      reserve.keep()
      return query(text, values)
    },
    script: async (sql) => {
      reserve.keep()
      await script(sql)
    },
  }
  return {
    kind: 'pglite',
    places: 1,
    query: (text, values) => inTurn(() => query(text, values)),
    transaction: <T>(work: (tx: Transaction) => Promise<T>, { role }: { role?: string | undefined } = {}) =>
      inTurn(() =>
        inRole(role, script, () =>
          inTransaction(async () => {
            await run([BEGIN])
            const result = await work(inside)
            await run([COMMIT])
            return result
          }),
        ),
      ),
    batch: (statements, { beforeCommit } = {}) =>
      inTurn(() =>
        inTransaction(async () => {
          if (!beforeCommit) return (await run([BEGIN, ...statements, COMMIT])).slice(1, -1)
          const results = (await run([BEGIN, ...statements])).slice(1)
          beforeCommit(results)
          await run([COMMIT])
          return results
        }),
      ),
    isDiskFull: reserve.isFull,
    queryAsListener: (text, values) => inTurn(() => query(text, values)),
    listen: (channel, hear) => mutex.runExclusive(() => pg.listen(channel, hear)),
    dump: () => mutex.runExclusive(async () => await pg.dumpDataDir('none')),
    close: () => mutex.runExclusive(() => pg.close()),
  }
}

// Runs in a separate thread: creating a cluster takes several hundred MB, which are freed only when the thread ends.
const CREATE = `
  const { workerData } = require('node:worker_threads')
  import(workerData.pglite)
    .then(({ PGlite }) => PGlite.create({ dataDir: workerData.folder }))
    .then((pg) => pg.close())
`

/** Creates the folder of a new database. An interrupted start leaves nothing that looks like a database. */
export async function ensurePgliteFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return
  const unfinished = `${folder}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  const pglite = import.meta.resolve('@electric-sql/pglite')
  const worker = new Worker(CREATE, { eval: true, workerData: { pglite, folder: unfinished } })
  const [code] = await once(worker, 'exit')
  if (code !== 0) throw new Error(`Creating the database ended with ${code}`)
  await rename(unfinished, folder)
}
