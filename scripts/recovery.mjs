// `npm run recovery`: runs what docs/scale.md and docs/operate.md promise about failovers, poolers and restores, with
// Debian's packages. Arguments name single parts: FAILOVERS=4 npm run recovery -- failover
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ensureInstalled, fail, run } from './install.mjs'

/** The programs that each part needs, and the packages that contain them. */
const PARTS = {
  failover: {
    ...{ patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy', ip: 'iproute2' },
    setpriv: 'util-linux',
  },
  pooler: { pgbouncer: 'pgbouncer' },
  pitr: { pgbackrest: 'pgbackrest' },
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter((part) => !(part in PARTS))
if (unknown.length > 0) fail(`npm run recovery -- ${Object.keys(PARTS).join(' | ')}`)
const parts = chosen.length > 0 ? chosen : Object.keys(PARTS)
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
const missing = parts.flatMap((part) =>
  Object.entries({ ...PARTS[part], postgres: 'postgresql-15' })
    .filter(
      ([program]) => ![...folders, '/usr/lib/postgresql/15/bin'].some((at) => existsSync(join(at, program))),
    )
    .map(([, name]) => name),
)
if (missing.length > 0)
  fail(`Needs Debian's packages: apt-get install --no-install-recommends ${[...new Set(missing)].join(' ')}`)
if (parts.includes('failover') && process.getuid?.() !== 0)
  fail('The failovers need root, because each machine gets a network namespace.')
ensureInstalled()
const files = parts.map((part) => `/${part}.recovery.ts`)
const env = { ...process.env, PATH: folders.join(delimiter) }
process.exit(
  run('npx', ['--no-install', 'vitest', 'run', '--project', 'recovery', ...files], { env }) ? 0 : 1,
)
