// `npm run release -- 1.1.0` records a release: its version, the digest of each migration, which must never
// change again, a backup of a site that runs on it, which every later version must be able to restore, and
// the size and duration of its tests.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash, ROOT } from './install.mjs'
import { load } from './run.mjs'
import { releaseWeight } from './weight.mjs'

const [version = ''] = process.argv.slice(2)
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('npm run release -- <major.minor.patch>')
const folder = join(ROOT, 'supabase/releases')
const record = join(folder, `${version}.json`)
if (existsSync(record)) throw new Error(`${version} is released`)

console.log('The number')
const change = (file, work) => {
  const json = JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
  work(json)
  writeFileSync(join(ROOT, file), `${JSON.stringify(json, null, 2)}\n`)
}
for (const folder of ['.', 'supabase', 'server', 'web', 'e2e', 'deno', 'bench', 'postgres'])
  change(join(folder, 'package.json'), (manifest) => {
    manifest.version = version
  })
for (const folder of ['.', 'deno', 'bench', 'postgres'])
  change(join(folder, 'package-lock.json'), (lock) => {
    lock.version = version
    const { workspaces = [] } = lock.packages['']
    for (const name of ['', ...workspaces]) lock.packages[name].version = version
  })

console.log('A site that lives on it')
mkdirSync(folder, { recursive: true })
const data = mkdtempSync(join(tmpdir(), 'release-'))
const env = { DATA_DIR: data, DEMO: 'on', OUTBOX: 'on' }
const { openDatabase } = await load('server/src/db/open.ts')
const { readConfig } = await load('server/src/config.ts')
const { backUp } = await load('server/src/copy/main.ts')
await (await openDatabase(readConfig(env))).close()
await backUp(readConfig(env), join(folder, `${version}.gz`))
rmSync(data, { recursive: true })

console.log('Its migrations')
const migrations = join(ROOT, 'supabase/migrations')
const digests = Object.fromEntries(
  readdirSync(migrations)
    .sort()
    .map((file) => [file, hash(readFileSync(join(migrations, file)))]),
)
writeFileSync(record, `${JSON.stringify(digests, null, 2)}\n`)
releaseWeight(version)
process.exit()
