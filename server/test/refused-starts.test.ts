// Databases that a server must not start on, and commands that must not set one up.
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { readConfig } from '#config.ts'
import { backUp, main } from '#copy/main.ts'
import { Inaccessible, NoSite, OlderThanDatabase, OlderThanReleases, openDatabase } from '#db/open.ts'
import { openPglite } from '#db/pglite.ts'
import { openPostgres } from '#db/postgres.ts'
import { urlOf } from './cluster.ts'
import { emptyDatabase, openTestDatabase } from './harness.ts'

const folder = await mkdtemp(join(tmpdir(), 'potluck-refused-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const configOf = (url: string | undefined, name: string) =>
  readConfig(url === undefined ? { DATA_DIR: join(folder, name) } : { DATABASE_URL: url }, 'administer')

test('a server older than its database changes nothing and says which version it needs', async () => {
  const { url, close } = await openTestDatabase()
  await close()
  const config = { ...configOf(url, 'newer'), demo: false }
  const db = await openDatabase(config)
  await db.transaction((tx) =>
    tx.script(`update platform.settings set value = '9.9.0' where key = 'version';
      insert into supabase_migrations.schema_migrations (version, name) values ('29990101000000', 'later');
      create or replace function net.urlencode(p_text text) returns text language sql immutable as $$ select 'of the newer version' $$`),
  )
  await db.close()
  await expect(openDatabase(config)).rejects.toThrow(OlderThanDatabase)
  await expect(openDatabase(config)).rejects.toThrow(
    /the database was migrated by version 9\.9\.0 \(migration 29990101000000\)\. Start version 9\.9\.0 or newer/,
  )
  const after = url
    ? await openPostgres(url, { max: 1 })
    : await openPglite({ dataDir: join(config.dataDir, 'pglite') })
  expect(await after.query("select net.urlencode('a b') as text")).toEqual([{ text: 'of the newer version' }])
  await after.close()
})

test('a site that an unreleased version made is exported as it is, and never started or changed', async () => {
  const { url, close } = await openTestDatabase()
  await close()
  const config = { ...configOf(url, 'unreleased'), demo: false }
  const db = await openDatabase(config)
  const table = 'supabase_migrations.schema_migrations'
  await db.query(`delete from ${table} where version > (select min(version) from ${table})`)
  await db.query(`update ${table} set version = '20000101000000'`)
  await db.close()
  for (const options of [{}, { existing: 'migrated' }] as const) {
    await expect(openDatabase(config, options)).rejects.toThrow(OlderThanReleases)
    await expect(openDatabase(config, options)).rejects.toThrow(
      /An unreleased version made the site in .* \(migration 20000101000000\)\. `npm run backup` still exports it/,
    )
  }
  const copy = join(folder, 'unreleased.gz')
  await backUp(config, copy)
  expect(gunzipSync(await readFile(copy)).toString()).toContain('"migrations":["20000101000000"]')
})

test('a command that reads a site never sets up a database, and says at which it looked', async () => {
  const { url } = inject('clusterUrl') ? await emptyDatabase() : { url: undefined }
  const config = configOf(url, 'none')
  const place = url === undefined ? config.dataDir : new URL(url).host
  await expect(openDatabase(config, { existing: 'migrated' })).rejects.toThrow(NoSite)
  await expect(openDatabase(config, { existing: 'migrated' })).rejects.toThrow(place)
  expect(existsSync(join(folder, 'none'))).toBe(false)
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const env = { DATA_DIR: join(folder, 'none'), ...(url !== undefined && { DATABASE_URL: url }) }
  expect(await main(['backup', join(folder, 'copy')], env)).toBe(1)
  expect(await main(['move', join(folder, 'other')], env)).toBe(1)
  const lines = said.mock.calls.map(([line]) => String(line))
  said.mockRestore()
  expect(lines.filter((line) => line.startsWith('Reading the') && line.includes(place))).toHaveLength(2)
  expect(lines.filter((line) => line.startsWith('There is no site in'))).toHaveLength(2)
  expect(existsSync(join(folder, 'other'))).toBe(false)
})

const cluster = inject('clusterUrl')
if (cluster)
  test.each([
    ['that does not exist', urlOf(cluster, 'nowhere'), /database "nowhere" does not exist\. Create it/],
    ['that nobody serves', 'postgres://postgres@127.0.0.1:1/site', /cannot be reached: .*ECONNREFUSED/],
    [
      'for a role that does not exist',
      cluster.replace('postgres@', 'nobody@'),
      /cannot be used: role "nobody" does not exist/,
    ],
  ])('a database %s is one line', async (_which, url, line) => {
    await expect(openDatabase(configOf(url, 'unused'))).rejects.toThrow(Inaccessible)
    await expect(openDatabase(configOf(url, 'unused'))).rejects.toThrow(line)
  })
