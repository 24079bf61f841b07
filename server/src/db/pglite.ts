// The embedded database: Postgres compiled to WebAssembly, one process, one connection, a folder on disk.
import { PGlite, type PGliteOptions, types } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { citext } from '@electric-sql/pglite/contrib/citext'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { pgcrypto } from '@electric-sql/pglite/contrib/pgcrypto'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { type Database, type Row, toDatabaseError } from './database.ts'

const asText = (value: unknown) => String(value)

// Values arrive as text already; the driver's own conversions would refuse or re-quote them.
const SERIALIZERS = Object.fromEntries(
  Object.values(types)
    .map(Number)
    .filter((oid) => Number.isInteger(oid))
    .map((oid) => [oid, asText]),
)

const PARSED = new Set<number>([
  types.BOOL,
  types.INT2,
  types.INT4,
  types.INT8,
  types.FLOAT4,
  types.FLOAT8,
  types.JSON,
  types.JSONB,
])
const PARSERS = Object.fromEntries(
  Object.values(types)
    .map(Number)
    .filter((oid) => Number.isInteger(oid) && !PARSED.has(oid))
    .map((oid) => [oid, asText]),
)

/** Opens the database in `dataDir` (undefined: in memory), optionally from a dump of another one. */
export async function openPglite(options: {
  dataDir?: string
  loadDataDir?: PGliteOptions['loadDataDir']
}): Promise<Database & { dump(): Promise<Blob> }> {
  const pg = await PGlite.create({
    ...(options.dataDir !== undefined && { dataDir: options.dataDir }),
    ...(options.loadDataDir !== undefined && { loadDataDir: options.loadDataDir }),
    extensions: { btree_gin, btree_gist, citext, pg_trgm, pgcrypto, unaccent },
    parsers: PARSERS,
    serializers: SERIALIZERS,
  })
  await pg.exec("set time zone 'UTC'")

  const refuse = (error: unknown): never => {
    throw toDatabaseError(error)
  }
  return {
    kind: 'pglite',
    query: async <R extends Row>(text: string, values: readonly (string | null)[] = []) =>
      (await pg.query<R>(text, [...values]).catch(refuse)).rows,
    transaction: (work) =>
      pg
        .transaction((tx) =>
          work({
            query: async <R extends Row>(text: string, values: readonly (string | null)[] = []) =>
              (await tx.query<R>(text, [...values]).catch(refuse)).rows,
            script: async (sql) => {
              await tx.exec(sql).catch(refuse)
            },
          }),
        )
        .catch(refuse),
    batch: (statements, { readOnly, beforeCommit } = {}) =>
      pg
        .transaction(async (tx) => {
          if (readOnly) await tx.exec('set transaction read only')
          const results: Row[][] = []
          for (const { text, values = [] } of statements) {
            results.push((await tx.query<Row>(text, [...values])).rows)
          }
          beforeCommit?.(results)
          return results
        })
        .catch(refuse),
    listen: (channel, hear) => pg.listen(channel, hear),
    dump: async () => await pg.dumpDataDir('none'),
    close: () => pg.close(),
  }
}
