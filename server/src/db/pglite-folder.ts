// Makes the folder of a new embedded database, in a thread of its own: creating a cluster takes several hundred
// megabytes that only the end of the thread gives back.
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'

const CREATE = `
  const { workerData } = require('node:worker_threads')
  import(workerData.pglite)
    .then(({ PGlite }) => PGlite.create({ dataDir: workerData.folder }))
    .then((pg) => pg.close())
`

/** Leaves an existing folder alone. A start that is cut short leaves nothing that looks like a database. */
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
