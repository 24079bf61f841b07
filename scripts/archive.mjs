// `npm run archive [folder]` builds potluck-<version>.tgz, which contains everything that a site needs except Node.
// After `tar xzf`, or with `npx ./potluck-<version>.tgz`, it runs on every platform and without a network.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildChanged } from './build.mjs'
import { ensureInstalled, fail, ROOT, run, step } from './install.mjs'
import { load } from './run.mjs'

/** Packages that look for their own files at run time, and the files of them that a running server reads. */
const PACKAGES = {
  '@electric-sql/pglite':
    /^(dist\/([^/]+\.js|pglite\.(wasm|data)|initdb\.wasm|(pgcrypto|pg_trgm)\.tar\.gz)|dist\/(contrib|fs)\/.*\.js)$/,
  'hash-wasm': /^dist\/index\.(esm|umd)\.js$/,
}

/** The files of the repository that a server reads, besides its own bundle. */
const FILES = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'docs',
  'deploy/as-service.sh',
  'deploy/failover',
  'deploy/nginx.conf',
  'deploy/pgbackrest.conf',
  'deploy/potluck.service',
  'server/src/platform',
  'server/src/functions/worker.mjs',
  'server/src/functions/lazy.mjs',
  'server/src/functions/outbox.mjs',
  'supabase/config.toml',
  'supabase/dist',
  'supabase/migrations',
  'supabase/repeatable',
  'supabase/schemas',
  'supabase/seed.sql',
  'supabase/templates',
  ...readdirSync(join(ROOT, 'supabase'))
    .filter((name) => name.endsWith('.json') && name !== 'package.json' && name !== 'tsconfig.json')
    .map((name) => `supabase/${name}`),
  'web/dist',
]

/** Writes the archive into `folder` and returns its path. */
export async function makeArchive(folder = join(ROOT, 'dist')) {
  await buildChanged()
  const { name, displayName, version, license, engines } = readManifest('.')
  const work = mkdtempSync(join(tmpdir(), 'archive-'))
  const title = `${name}-${version}`
  const root = join(work, title)
  const finished = step('Packing')
  try {
    for (const file of FILES) cpSync(join(ROOT, file), join(root, file), { recursive: true })
    cpSync(join(ROOT, 'deploy/potluck.mjs'), join(root, 'potluck.mjs'))
    for (const [name, used] of Object.entries(PACKAGES)) copyPackage(name, used, root)
    await bundle(join(root, 'server/dist'))
    await makeReadyDatabase(work, join(root, 'ready-database.gz'))
    write(join(root, 'package.json'), {
      ...{ name, displayName, version, license, engines, type: 'module' },
      bin: { [name]: 'potluck.mjs' },
      dependencies: Object.fromEntries(Object.keys(PACKAGES).map((name) => [name, '*'])),
      bundleDependencies: Object.keys(PACKAGES),
    })
    mkdirSync(folder, { recursive: true })
    const archive = join(folder, `${title}.tgz`)
    if (!run('tar', ['-czf', archive, '-C', work, title])) fail('tar failed')
    finished(`${(statSync(archive).size / 1e6).toFixed(1)} MB`)
    return archive
  } finally {
    rmSync(work, { recursive: true })
  }
}

/**
 * Copies the files of a package that are used. The new manifest names no dependencies, which npm would look for online.
 */
function copyPackage(name, used, root) {
  const [from, to] = [ROOT, root].map((folder) => join(folder, 'node_modules', name))
  for (const file of readdirSync(from, { recursive: true }).map((path) => path.replaceAll('\\', '/')))
    if (used.test(file) || /^LICENSE/.test(file)) cpSync(join(from, file), join(to, file))
  const { version, license, type, main, module, exports } = JSON.parse(
    readFileSync(join(from, 'package.json'), 'utf8'),
  )
  write(join(to, 'package.json'), { name, version, license, type, main, module, exports })
}

/** Bundles the server and the operator's commands, with all their other packages, into one folder. */
async function bundle(outDir) {
  const { build } = await import('vite')
  await build({
    root: join(ROOT, 'server'),
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true, external: Object.keys(PACKAGES) },
    build: {
      ssr: true,
      outDir,
      target: 'node20',
      emptyOutDir: true,
      rolldownOptions: {
        input: {
          main: join(ROOT, 'server/src/main.ts'),
          copy: join(ROOT, 'server/src/copy/main.ts'),
          admin: join(ROOT, 'supabase/admin/main.ts'),
        },
        external: ['pg-native', 'cloudflare:sockets'],
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  })
}

/** Creates an embedded database on this release that contains no people. */
async function makeReadyDatabase(work, file) {
  const { openDatabase } = await load('server/src/db/open.ts')
  const { readConfig } = await load('server/src/config.ts')
  const { markDatabase, packDatabase } = await load('server/src/db/ready-database.ts')
  const folder = join(work, 'ready')
  const db = await openDatabase(readConfig({ DATA_DIR: folder, DEMO: 'off' }, 'administer'))
  await markDatabase(db)
  await db.query('vacuum full')
  await db.close()
  await packDatabase(join(folder, 'pglite'), file)
}

const readManifest = (folder) => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
const write = (file, manifest) => writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  ensureInstalled()
  console.log(await makeArchive(process.argv[2]))
  process.exit()
}
