// Goes back to the second before a wrong delete, with the very lines of docs/operate.md. Only systemctl and sudo are replaced, as
// tests run without systemd. `npm run recovery -- pitr`
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { openPostgres } from '#db/postgres.ts'
import { buildChanged } from '../../../scripts/build.mjs'
import { findPostgres, otherThanRoot } from '../../../scripts/postgres.mjs'
import { freePort } from '../free-port.ts'
import { newClient, PASSWORD } from '../harness.ts'
import { end, launch } from '../process.ts'
import { adapt } from './machines.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const MAIN = '/var/lib/postgresql/15/main'
const TARGET = '2026-11-30 14:29:59+00'

const bin = findPostgres() ?? ''
const folder = mkdtempSync(join(tmpdir(), 'potluck-pitr-'))
const own = (path: string) => {
  const { uid, gid } = otherThanRoot()
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}
own(folder)
const data = join(folder, 'main')
const port = String(await freePort())
const config = join(folder, 'pgbackrest.conf')
const env = {
  PATH: `${folder}/bin:${bin}:${process.env.PATH}`,
  ...{ PGHOST: folder, PGPORT: port, PGUSER: 'postgres' },
  ...{ PGBACKREST_CONFIG: config, PGBACKREST_PG1_PORT: port, PGBACKREST_PG1_SOCKET_PATH: folder },
  ...{
    PGBACKREST_PG1_USER: 'postgres',
    PGBACKREST_LOG_PATH: folder,
    PGBACKREST_LOCK_PATH: `${folder}/lock`,
    PGBACKREST_SPOOL_PATH: `${folder}/spool`,
  },
}
/** Runs lines as the user of Postgres; the output is in the error if one fails. */
const run = (lines: string) =>
  execFileSync('bash', ['-euo', 'pipefail', '-c', lines], {
    ...otherThanRoot(),
    ...{ cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  })
const program = (name: string, text: string) => {
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`)
  chmodSync(join(folder, 'bin', name), 0o755)
}

mkdirSync(join(folder, 'bin'))
program('sudo', 'exec "$@"')
program(
  'systemctl',
  `case "$*" in *postgresql*) exec pg_ctl -w -D ${data} -l ${folder}/postgres.log -o "-p ${port} -k ${folder} -c listen_addresses=127.0.0.1" "$1" > /dev/null;; esac`,
)
writeFileSync(
  config,
  adapt(join(ROOT, 'deploy/pgbackrest.conf'), [
    ['/var/lib/pgbackrest', join(folder, 'repository')],
    [MAIN, data],
  ]),
)
mkdirSync(join(folder, 'repository'))
own(join(folder, 'repository'))
run(
  `initdb -U postgres -A trust -E UTF8 --locale=C.UTF-8 -D ${data} && sudo systemctl start postgresql && createdb potluck`,
)
afterAll(() => {
  run('sudo systemctl stop postgresql || true')
  rmSync(folder, { recursive: true, force: true })
})

const [, section = ''] = readFileSync(join(ROOT, 'docs/operate.md'), 'utf8').split(
  '## To the second before a mistake',
)
const [setUp = '', goBack = ''] = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, lines = '']) =>
  lines.replaceAll(MAIN, data),
)

test('a site goes back to the second before everybody was deleted', { timeout: 400_000 }, async () => {
  await buildChanged(['server', 'supabase'])
  const url = `postgres://postgres@127.0.0.1:${port}/potluck`
  const [sitePort, key] = [String(await freePort()), 'A'.repeat(43)]
  const start = () =>
    launch({
      ...{ PORT: sitePort, SITE_URL: `http://127.0.0.1:${sitePort}`, DATABASE_URL: url, OUTBOX: 'on' },
      ...{
        DATA_DIR: join(folder, 'site'),
        JWT_SECRET: 'a'.repeat(32),
        VAULT_KEY: key,
        VAPID_PRIVATE_KEY: 'B'.repeat(43),
      },
    })
  const client = async () => {
    const address = `http://127.0.0.1:${sitePort}`
    const { supabaseAnonKey: anonKey } = (await (await fetch(`${address}/config.json`)).json()) as {
      supabaseAnonKey: string
    }
    return newClient({ url: address, anonKey }).auth
  }
  let server = await start()
  run(setUp)
  const sql = async (text: string) => {
    const db = await openPostgres(url, { max: 1 })
    return db.query<{ at: string }>(text).finally(() => db.close())
  }
  // One person signs up after the backup, the other after the mistake.
  const signUp = async (email: string) =>
    expect((await (await client()).signUp({ email, password: PASSWORD })).error).toBeNull()
  await signUp('ana@example.org')
  await sql('update auth.users set email_confirmed_at = now()')
  await pause(2_000)
  const [mistake] = await sql(
    `select to_char(now() - interval '1 second', 'YYYY-MM-DD HH24:MI:SS.MSOF') as at`,
  )
  await sql('delete from auth.users')
  await signUp('eve@example.org')
  await end(server, 'SIGTERM')

  expect(goBack).toContain(TARGET)
  expect(run(goBack.replaceAll(TARGET, mistake?.at ?? ''))).toContain('note_restore')
  expect(await sql('select email as at from auth.users')).toEqual([{ at: 'ana@example.org' }])
  server = await start()
  const signedIn = await (await client()).signInWithPassword({ email: 'ana@example.org', password: PASSWORD })
  expect(signedIn.error).toBeNull()
  // The state before is still there, in case the time was wrong.
  expect(run(`pg_controldata ${data}-before`)).toContain('shut down')
  await end(server, 'SIGTERM')
})
