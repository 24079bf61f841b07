// `npm run release -- 1.1.0` records a release: its version, its migration under the release's name, the digest of each
// migration (which must never change again), a backup of a site on this release, and the size and duration of the
// tests. Then it builds the release's archive. Before all this, the site of each earlier release must migrate on every
// engine of this machine, with its books in order.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeArchive } from './archive.mjs'
import { fail, hash, ROOT, run } from './install.mjs'
import { ensurePostgres, findPostgres } from './postgres.mjs'
import { load } from './run.mjs'
import { isWeighed, releaseWeight } from './weight.mjs'

const [version = ''] = process.argv.slice(2)
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('npm run release -- <major.minor.patch>')
const releases = join(ROOT, 'supabase/releases')
const migrations = join(ROOT, 'supabase/migrations')
const record = join(releases, `${version}.json`)
if (existsSync(record)) throw new Error(`${version} is released`)
if (!isWeighed()) fail('Run npm test first: a release says how long its tests take.')
mkdirSync(releases, { recursive: true })

const before = readdirSync(migrations).join()
if (!run('npm', ['run', '-s', 'migration']) || readdirSync(migrations).join() !== before)
  fail(
    'The migration was not what the schemas declare. Test and commit the one that was written, then release it.',
  )

const { openDatabase } = await load('server/src/db/open.ts')
const { openPostgres } = await load('server/src/db/postgres.ts')
const { readConfig } = await load('server/src/config.ts')
const { backUp, restore } = await load('server/src/copy/main.ts')
const { checkBooks } = await load('supabase/admin/books.ts')
const { startCluster, urlOf } = await load('server/test/cluster.ts')

const work = mkdtempSync(join(tmpdir(), 'release-'))
ensurePostgres()
const bin = findPostgres()
const cluster = bin && (await startCluster(bin))
try {
  for (const file of readdirSync(releases).filter((name) => name.endsWith('.gz')))
    for (const [engine, env] of await placesFor(file)) {
      console.log(`The site of ${file} on ${engine}`)
      const config = readConfig(env, 'administer')
      await restore(config, join(releases, file), {})
      const db = await openDatabase(config)
      console.log(await checkBooks(db))
      await db.close()
    }

  console.log('The number')
  change(
    ['.', 'supabase', 'server', 'web', 'e2e', 'deno', 'bench', 'postgres'].map((f) =>
      join(f, 'package.json'),
    ),
    (manifest) => {
      manifest.version = version
    },
  )
  change(
    ['.', 'deno', 'bench', 'postgres'].map((folder) => join(folder, 'package-lock.json')),
    (lock) => {
      lock.version = version
      const { workspaces = [] } = lock.packages['']
      for (const name of ['', ...workspaces]) lock.packages[name].version = version
    },
  )

  for (const page of ['README.md', 'docs/operate.md']) {
    const text = readFileSync(join(ROOT, page), 'utf8')
    writeFileSync(join(ROOT, page), text.replaceAll(/potluck-\d+\.\d+\.\d+/g, `potluck-${version}`))
  }

  console.log('Its migration')
  for (const file of readdirSync(migrations).filter((name) => name.endsWith('_unreleased.sql')))
    renameSync(
      join(migrations, file),
      join(migrations, file.replace('unreleased', version.replaceAll('.', '_'))),
    )
  const files = readdirSync(migrations).sort()
  const digests = Object.fromEntries(files.map((file) => [file, hash(readFileSync(join(migrations, file)))]))

  console.log('A site that lives on it')
  const config = readConfig({ DATA_DIR: join(work, 'demo'), DEMO: 'on', OUTBOX: 'on' })
  await (await openDatabase(config)).close()
  await backUp(config, join(releases, `${version}.gz`))

  writeFileSync(record, `${JSON.stringify(digests, null, 2)}\n`)
  releaseWeight(version)
  console.log(await makeArchive())
} finally {
  await cluster?.stop()
  rmSync(work, { recursive: true })
}
process.exit()

/** Creates an empty place for a site on each available engine. */
async function placesFor(file) {
  const places = [['PGlite', { DATA_DIR: join(work, file) }]]
  if (!cluster) return places
  const name = `site_${file.replaceAll(/\W/g, '_')}`
  const admin = await openPostgres(cluster.url, { max: 1 })
  await admin.query(`create database ${name}`)
  await admin.close()
  return [...places, ['Postgres', { DATABASE_URL: urlOf(cluster.url, name) }]]
}

function change(files, work) {
  for (const file of files) {
    const json = JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
    work(json)
    writeFileSync(join(ROOT, file), `${JSON.stringify(json, null, 2)}\n`)
  }
}
