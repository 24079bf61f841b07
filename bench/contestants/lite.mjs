// Runs the peer, @supabase/lite, as its documentation does: a project folder, `lite migration up`, `lite start`.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../scripts/install.mjs'
import { freePort, startServer } from '../processes.mjs'

const SECRET = 'a-secret-of-the-peer-in-the-bench-and-nothing-else-0123456789'
const KEY = 'sb_publishable_bench0000000000000000_00000000'
const LITE = join(import.meta.dirname, '../node_modules/@supabase/lite/dist/cli/index.js')
const FILL = join(import.meta.dirname, 'lite-fill.mjs')
const environment = { PATH: process.env.PATH, LITE_TELEMETRY: '0', DO_NOT_TRACK: '1' }

/** Creates a project in `folder`, migrates it with the peer's own command and fills it. */
export async function fillLite({ folder, databaseUrl }) {
  const migrations = join(folder, 'supabase/migrations')
  mkdirSync(migrations, { recursive: true })
  configure({ folder, databaseUrl, port: 54_321 })
  cpSync(join(import.meta.dirname, 'lite-platform.sql'), join(migrations, '20000101000000_platform.sql'))
  cpSync(join(ROOT, 'supabase/migrations'), migrations, { recursive: true })
  const run = (...command) =>
    execFileSync(process.execPath, command, {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  run(LITE, 'migration', 'up')
  run(FILL, databaseUrl ?? 'data')
}

/** Serves a filled project. Returns { url, apikey, secret, stop }. */
export async function startLite(place) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  configure({ ...place, port })
  const server = await startServer([process.execPath, LITE, 'start', '--no-admin'], {
    cwd: place.folder,
    env: environment,
    log: join(place.folder, 'server.log'),
    address: `${url}/auth/v1/health`,
  })
  return { url, apikey: KEY, secret: SECRET, stop: server.stop }
}

function configure({ folder, databaseUrl, port }) {
  const config = `
[api]
port = ${port}

[db]
driver = "${databaseUrl ? 'postgres' : 'pglite'}"
url = "${databaseUrl ?? 'data'}"

[auth]
enabled = true
jwt_secret = "${SECRET}"
publishable_key = "${KEY}"
`
  writeFileSync(join(folder, 'supabase/config.toml'), config)
}
