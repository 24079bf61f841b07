// Caches the schema, and reloads it when the database announces a change.
import type { Logger } from 'pino'
import type { Database } from '#db/database.ts'
import { RestError } from './errors.ts'
import { readSchema } from './read-schema.ts'
import type { Schema } from './schema.ts'

export interface SchemaCache {
  /** The current schema; a promise only during the first load. Throws PGRST002 if that fails. */
  current(): Schema | Promise<Schema>
}

/** Starts loading immediately, and again on `NOTIFY pgrst`, with 'reload schema', 'reload config' or no payload. */
export function createSchemaCache(db: Database, exposed: readonly string[], log: Logger): SchemaCache {
  let known: Schema | undefined
  let reading: Promise<Schema> | undefined
  let stale = false

  const read = (): Promise<Schema> => {
    reading ??= (async () => {
      try {
        do {
          stale = false
          known = await readSchema(db, exposed)
        } while (stale)
        return known
      } catch (error) {
        stale = true
        log.error({ err: error }, 'The schema could not be read')
        throw new RestError('PGRST002', 'Could not query the database for the schema cache. Retrying.', {
          headers: { 'Retry-After': '1' },
        })
      } finally {
        reading = undefined
      }
    })()
    return reading
  }

  const hear = (message: string) => {
    if (!['', 'reload schema', 'reload config'].includes(message)) return
    stale = true
    // A failure is logged where it happens, and the next request that needs the schema loads it again.
    read().catch(() => undefined)
  }

  // Listens before the first load, so that no change is missed.
  const listening = db
    .listen('pgrst', hear, () => hear(''))
    .catch((error: unknown) => {
      log.error({ err: error }, 'Schema changes will not be noticed')
    })
  listening.then(read).catch(() => undefined)

  return {
    current: () => (known && !stale ? known : listening.then(() => (known && !stale ? known : read()))),
  }
}
