// The archive of a release: one archive makes two sites, each started without a network and with an empty home folder.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { openPglite } from '@potluck/server/db/pglite.ts'
import { PROJECT } from '@potluck/server/project.ts'
import { freePort } from '@potluck/server/test/free-port.ts'
import { end, launch } from '@potluck/server/test/process.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const call = promisify(execFile)
const work = await mkdtemp(join(tmpdir(), 'archive-'))
const program = join(work, `potluck-${PROJECT.version}/potluck.mjs`)
const home = join(work, 'home')
// Nothing listens there, so a request for a package would fail.
const OFFLINE = { PATH: process.env.PATH ?? '', HOME: home, npm_config_registry: 'http://127.0.0.1:9' }
const begun = new Date()

beforeAll(async () => {
  await mkdir(home)
  await call(process.execPath, [join(ROOT, 'scripts/archive.mjs'), work])
  await call('tar', ['-xzf', join(work, `potluck-${PROJECT.version}.tgz`), '-C', work])
})
afterAll(() => rm(work, { recursive: true }))

/** Starts a site in a new folder, sends it requests and stops it; returns the folder and the answer. */
async function site<Answer>(env: Record<string, string>, ask: (url: string) => Promise<Answer>) {
  const cwd = await mkdtemp(join(work, 'site-'))
  const port = String(await freePort())
  const server = await launch({ ...OFFLINE, PORT: port, ...env }, { main: program, cwd })
  const answer = await ask(`http://localhost:${port}`).finally(() => end(server, 'SIGTERM'))
  return { cwd, answer, data: join(cwd, 'potluck-data') }
}
// Runs the program file itself, as the image does.
const potluck = (cwd: string, ...args: string[]) => call(program, args, { cwd, env: OFFLINE })

test('serves the demo, signs in, and has the operator’s commands', async () => {
  const { cwd, answer } = await site({}, async (url) => {
    const page = await (await fetch(url)).text()
    const { supabaseAnonKey: apikey } = await (await fetch(`${url}/config.json`)).json()
    const signedIn = await fetch(`${url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { apikey, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'demo@potluck.example', password: 'Potluck-demo-1!' }),
    })
    return { page, status: signedIn.status }
  })
  expect(answer.page).toContain('<h1')
  expect(answer.status).toBe(200)
  expect((await potluck(cwd, 'admin', 'list')).stdout).toContain('sofia@potluck.example')
  expect((await potluck(cwd, 'admin', 'check-books')).stdout).toContain('The books balance')
  await potluck(cwd, 'backup', 'today.gz')
  expect((await readFile(join(cwd, 'today.gz'))).length).toBeGreaterThan(10_000)
  await expect(potluck(cwd, 'admin')).rejects.toThrow(/potluck admin <command>\n {2}grant <email> <role>/)
  await expect(potluck(cwd, 'publish')).rejects.toThrow('There is no command publish')
})

test('two sites share no secret, no time and no identifier, and nobody is in them', async () => {
  const sites = [await site({ DEMO: 'off' }, async () => null), await site({ DEMO: 'off' }, async () => null)]
  const own = []
  for (const { data } of sites) {
    const db = await openPglite({ dataDir: join(data, 'pglite') })
    const [row] = await db.query(`select
      (select system_identifier::text from pg_control_system()) as cluster,
      (select id from service_provider_data) as catalogue,
      (select key from platform.settings where key = 'unpacked') as mark,
      (select count(*)::int from auth.users) as people,
      (select min(at) from (
        select created_at as at from system_roles union all select updated_at from app_settings
        union all select created_at from private.catalogue_prices
        union all select applied_at from supabase_migrations.schema_migrations) as times)::text as oldest`)
    await db.close()
    expect(row).toMatchObject({ people: 0, mark: null })
    expect(new Date(String(row?.oldest)).getTime()).toBeGreaterThanOrEqual(begun.getTime())
    own.push([
      row?.cluster,
      row?.catalogue,
      row?.oldest,
      await readFile(join(data, 'jwt-secret'), 'utf8'),
      ...Object.values(JSON.parse(await readFile(join(data, 'function-secrets.json'), 'utf8'))),
    ])
  }
  const [one = [], other = []] = own
  expect(one.length).toBeGreaterThanOrEqual(6)
  expect(one.filter((value, at) => value === other[at])).toEqual([])
})
