// Runs the tests of Supabase's clients against this server, with their own test runner (jest).
import { execFileSync } from 'node:child_process'
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMigrations } from '#db/migrate.ts'
import { runJest } from './jest.ts'
import type { Outcome } from './report.ts'
import { type Served, serve } from './served.ts'

const SECRET = 'super-secret-jwt-token-with-at-least-32-characters-long'
const SECRET_OF_CONTAINERS = '37c304f8-51aa-419a-a1af-06154e63707a'
const ADDRESS = /(localhost|127\.0\.0\.1):54321/g

type ClientSuite = 'postgrest-js' | 'auth-js' | 'supabase-js'
const RUNNERS: Record<ClientSuite, (packages: string, cluster: string) => Promise<Outcome[]>> = {
  'postgrest-js': runPostgrestJs,
  'auth-js': runAuthJs,
  'supabase-js': runSupabaseJs,
}

/**
 * Runs those tests of the suite that may use a server. `tools` is the folder whose node_modules contains jest and the
 * packages that the tests import.
 */
export async function runClient(
  suite: ClientSuite,
  checkout: string,
  cluster: string,
  tools: string,
): Promise<Outcome[]> {
  const work = await mkdtemp(join(tmpdir(), 'upstream-'))
  try {
    await cp(join(checkout, 'packages'), join(work, 'packages'), { recursive: true })
    await symlink(join(tools, 'node_modules'), join(work, 'node_modules'))
    const folder = join(work, 'packages/core', suite)
    await rm(join(folder, 'jest.config.ts'), { force: true })
    return await RUNNERS[suite](folder, cluster)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function runPostgrestJs(folder: string, cluster: string): Promise<Outcome[]> {
  const supabase = join(folder, 'test/supabase')
  const migrations = await readMigrations(join(supabase, 'migrations'))
  return withServers(
    [
      await serve({
        ...{ cluster, database: 'upstream_postgrest_js', settings: supabase, secret: SECRET },
        migrations: migrations.map(({ sql, ...named }) => ({ ...named, sql: withoutShapes(sql) })),
        seed: withoutShapes(await readFile(join(supabase, 'seed.sql'), 'utf8')),
      }),
    ],
    async ([served]) => {
      await rewrite(join(folder, 'test'), (text) => text.replaceAll(ADDRESS, `127.0.0.1:${served?.port}`))
      const testSequencer = '<rootDir>/test/testSequencer.js'
      return runJest(folder, [served], { testMatch: ['<rootDir>/test/*.test.ts'], testSequencer })
    },
  )
}

/** Replaces the types of PostGIS with text, since few machines have PostGIS. */
const withoutShapes = (sql: string) =>
  sql
    .replace(/^alter role authenticator.*$/gm, '')
    .replace(/^create extension.* postgis .*$/m, 'create domain extensions.geometry as text;')
    .replace(/extensions\.geometry\s*\([^)]*\)/g, 'extensions.geometry')

// Settings of the servers in the suite's docker-compose.yml, by port.
const CONTAINERS = {
  9996: '[auth.email]\nenable_confirmations = false',
  9997: '[auth]\nenable_signup = false\n[auth.email]\nenable_signup = false',
  9998: '[auth.email]\nenable_confirmations = false',
  9999: '[auth.email]\nenable_confirmations = true',
}

async function runAuthJs(folder: string, cluster: string): Promise<Outcome[]> {
  const test = join(folder, 'test')
  execFileSync(process.execPath, [join(test, 'generate-signing-keys.js')])
  const main = await serve({
    ...{ cluster, database: 'upstream_auth_js', settings: join(test, 'supabase'), secret: SECRET },
  })
  const servers = { 54321: main } as Record<string, Served>
  for (const [port, toml] of Object.entries(CONTAINERS)) {
    const settings = join(test, port)
    await mkdir(settings)
    await writeFile(join(settings, 'config.toml'), toml)
    const database = `upstream_auth_js_${port}`
    servers[port] = await serve({
      ...{ cluster, database, settings, secret: SECRET_OF_CONTAINERS, path: '/auth/v1' },
    })
  }
  return withServers(Object.values(servers), async (all) => {
    const named = /(?:localhost|127\.0\.0\.1):(54321|999[6-9])/g
    // The client's own test keys are signed with RSA, but this server signs with its secret.
    const signed = /privateKey,\s*\{ algorithm: 'RS256', keyid: rsaKey.kid \}/g
    for (const part of ['lib', 'docker-tests'])
      await rewrite(join(test, part), (text) =>
        text
          .replaceAll(named, (_all, port: string) => `127.0.0.1:${servers[port]?.port}`)
          .replaceAll(signed, 'GOTRUE_JWT_SECRET'),
      )
    const files = ['*.test.ts', 'docker-tests/*.test.ts'].map((name) => `<rootDir>/test/${name}`)
    const testPathIgnorePatterns = await withoutServer(test)
    return runJest(folder, all, { testMatch: files, testPathIgnorePatterns })
  })
}

/** Finds the test files that use no server, or that run in a browser with an imitated server. */
async function withoutServer(test: string): Promise<string[]> {
  const files = (await readdir(test)).filter((name) => name.endsWith('.test.ts'))
  const known = await Promise.all(
    files.map(async (name) => /clients'/.test(await readFile(join(test, name), 'utf8'))),
  )
  return files.filter((name, at) => !known[at] || name.includes('.browser.')).map((name) => `/${name}$`)
}

async function runSupabaseJs(folder: string, cluster: string): Promise<Outcome[]> {
  const supabase = join(folder, 'supabase')
  const migrations = await readMigrations(join(supabase, 'migrations'))
  // The CLI's default for a setting that config.toml leaves out; hosted Supabase has another default.
  await appendFile(join(supabase, 'config.toml'), '\n[auth.email]\nenable_confirmations = false\n')
  return withServers(
    [
      await serve({
        ...{ cluster, database: 'upstream_supabase_js', settings: supabase, secret: SECRET },
        migrations: migrations.filter(({ sql }) => !sql.includes('storage.')),
      }),
    ],
    async ([served]) => {
      await rewrite(join(folder, 'test'), (text) => text.replaceAll(ADDRESS, `127.0.0.1:${served?.port}`))
      // Node has a built-in WebSocket only from version 22.
      const setup = join(folder, 'upstream.setup.cjs')
      await writeFile(setup, "globalThis.WebSocket ??= require('ws')")
      return runJest(folder, [served], {
        testMatch: ['<rootDir>/test/integration.test.ts'],
        setupFiles: [setup],
        moduleNameMapper: {
          '^@supabase/((?:auth|functions|postgrest|realtime|storage)-js)$': '<rootDir>/../$1/src/index.ts',
          '^@supabase/tracing$': '<rootDir>/../../shared/tracing/src/index.ts',
        },
      })
    },
  )
}

async function withServers<const S extends Served[]>(servers: S, work: (servers: S) => Promise<Outcome[]>) {
  try {
    return await work(servers)
  } finally {
    for (const each of servers) await each.close()
  }
}

async function rewrite(folder: string, change: (text: string) => string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.ts')) continue
    const file = join(folder, name)
    await writeFile(file, change(await readFile(file, 'utf8')))
  }
}
