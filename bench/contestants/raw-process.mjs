// Drives a bare driver as its documentation uses it: node raw-process.mjs <postgres url or PGlite folder> <file of
// recorded statements>. A transaction is { statements: [{ text, values }] }.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../scripts/install.mjs'
import { drive, WORKERS } from '../load.mjs'

// Loads the driver in the server's version, because the packages beside this file are those of the peer.
const require = createRequire(join(ROOT, 'server/package.json'))
const load = (name) => import(pathToFileURL(require.resolve(name)).href)
// `require` finds PGlite's CommonJS build, but the server loads the ES module.
const loadModule = (name) => import(pathToFileURL(require.resolve(name).replace(/\.cjs$/, '.js')).href)

const [target, file] = process.argv.slice(2)
const recorded = JSON.parse(readFileSync(file, 'utf8'))
const driver = await (target.includes('://') ? openPostgres(target) : openPglite(target))

// A disconnect means that the bench, which started this process, has exited.
process.on('disconnect', () => process.exit(1))
process.on('message', async ({ call, seconds, from, stop }) => {
  if (stop) {
    await driver.close()
    process.exit(0)
  }
  if (call === undefined) return process.send({})
  const transactions = recorded[call]
  process.send(await drive((n) => driver.transact(transactions[n % transactions.length]), { seconds, from }))
})

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
    transact: async ({ statements }) => {
      const client = await pool.connect()
      const all = [{ text: 'begin' }, ...statements, { text: 'commit' }]
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
    transact: ({ statements }) =>
      turn.runExclusive(async () => {
        await pg.exec('begin')
        for (const { text, values = [] } of statements) await pg.query(text, values)
        await pg.exec('commit')
      }),
    close: () => pg.close(),
  }
}
