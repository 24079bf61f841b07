// The two drivers as their documentation uses them. A transaction is { statements: [{ text, values }], readOnly }.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../scripts/install.mjs'
import { WORKERS } from '../load.mjs'

// The server's own versions; beside this file lie those of the peer.
const require = createRequire(join(ROOT, 'server/package.json'))
const load = (name) => import(pathToFileURL(require.resolve(name)).href)
// Asked for by `require`, PGlite names its CommonJS build; the server loads the other one.
const loadModule = (name) => import(pathToFileURL(require.resolve(name).replace(/\.cjs$/, '.js')).href)

export const openDriver = (target) => (target.includes('://') ? openPostgres(target) : openPglite(target))

async function openPostgres(url) {
  const { default: postgres } = await load('postgres')
  const asText = (value) => String(value)
  const sql = postgres(url, {
    max: WORKERS,
    onnotice: () => undefined,
    connection: { TimeZone: 'UTC' },
    // The recorded values are text already.
    types: {
      json: { to: 114, from: [114, 3802], serialize: asText, parse: asText },
      bool: { to: 16, from: [16], serialize: asText, parse: asText },
      number: { to: 0, from: [20, 21, 23, 700, 701], serialize: asText, parse: Number },
      date: { to: 1184, from: [1082, 1114, 1184], serialize: asText, parse: asText },
    },
  })
  return {
    transact: ({ statements, readOnly }) =>
      sql.begin(readOnly ? 'read only' : 'read write', (tx) =>
        Promise.all(statements.map(({ text, values = [] }) => tx.unsafe(text, values, { prepare: true }))),
      ),
    close: () => sql.end(),
  }
}

async function openPglite(dataDir) {
  const { PGlite, Mutex, types } = await loadModule('@electric-sql/pglite')
  const { pg_trgm } = await loadModule('@electric-sql/pglite/contrib/pg_trgm')
  const { pgcrypto } = await loadModule('@electric-sql/pglite/contrib/pgcrypto')
  const serializers = Object.fromEntries(Object.values(types).map((oid) => [oid, (value) => String(value)]))
  const pg = await PGlite.create({ dataDir, extensions: { pg_trgm, pgcrypto }, serializers })
  await pg.exec("set time zone 'UTC'")
  const turn = new Mutex()
  return {
    transact: ({ statements, readOnly }) =>
      turn.runExclusive(async () => {
        await pg.exec(readOnly ? 'begin read only' : 'begin')
        for (const { text, values = [] } of statements) await pg.query(text, values)
        await pg.exec('commit')
      }),
    close: () => pg.close(),
  }
}
