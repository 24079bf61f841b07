// The two drivers as their documentation uses them. A transaction is { statements: [{ text, values }], readOnly }.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../scripts/install.mjs'
import { WORKERS } from '../load.mjs'

// The server's own versions; the ones next to this file are the peer's.
const require = createRequire(join(ROOT, 'server/package.json'))
const load = (name) => import(pathToFileURL(require.resolve(name)).href)
// `require` resolves to PGlite's CommonJS build; the server loads the other one.
const loadModule = (name) => import(pathToFileURL(require.resolve(name).replace(/\.cjs$/, '.js')).href)

export const openDriver = (target) => (target.includes('://') ? openPostgres(target) : openPglite(target))

async function openPostgres(url) {
  const { default: pg } = await load('pg')
  const pool = new pg.Pool({
    connectionString: url,
    max: WORKERS,
    options: '-c TimeZone=UTC',
    pipeline: true,
  })
  const names = new Map()
  const prepared = ({ text, values = [] }) => {
    if (!names.has(text)) names.set(text, `s${names.size}`)
    return { name: names.get(text), text, values }
  }
  return {
    transact: async ({ statements, readOnly }) => {
      const client = await pool.connect()
      const all = [{ text: readOnly ? 'begin read only' : 'begin' }, ...statements, { text: 'commit' }]
      await Promise.all(all.map((statement) => client.query(prepared(statement))))
      client.release()
    },
    close: () => pool.end(),
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
