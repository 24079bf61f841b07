// The tests of Supabase's postgrest-js, run by their own runner (jest) against this server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pino } from 'pino'
import { startApp } from '#app.ts'
import { readConfig } from '#config.ts'
import { migrate, readMigrations } from '#db/migrate.ts'
import { openPostgres } from '#db/postgres.ts'
import { urlOf } from '../cluster.ts'
import { freePort } from '../free-port.ts'
import type { Outcome } from './report.ts'

const PLATFORM = resolve(import.meta.dirname, '../../src/platform')
const PACKAGE = 'packages/core/postgrest-js'

/** Every test of the suite. `tools` is the folder whose node_modules hold jest and what the tests import. */
export async function runPostgrestJs(checkout: string, cluster: string, tools: string): Promise<Outcome[]> {
  const work = await mkdtemp(join(tmpdir(), 'upstream-'))
  await cp(join(checkout, PACKAGE), work, { recursive: true })
  await symlink(join(tools, 'node_modules'), join(work, 'node_modules'))
  const served = await serve(join(work, 'test/supabase'), cluster)
  try {
    for (const name of await readdir(join(work, 'test'))) {
      if (!name.endsWith('.test.ts')) continue
      const file = join(work, 'test', name)
      const text = await readFile(file, 'utf8')
      await writeFile(file, text.replaceAll(/(localhost|127\.0\.0\.1):54321/g, `127.0.0.1:${served.port}`))
    }
    return await runJest(work)
  } finally {
    await served.close()
    await rm(work, { recursive: true, force: true })
  }
}

/** This server over the suite's own schema and rows, behind a gateway that adds the public key, as the Supabase CLI's does. */
async function serve(supabase: string, cluster: string) {
  const admin = await openPostgres(cluster, { max: 1 })
  await admin.query('create database upstream_postgrest_js')
  await admin.close()
  const db = await openPostgres(urlOf(cluster, 'upstream_postgrest_js'))
  const migrations = await readMigrations(join(supabase, 'migrations'))
  await migrate(db, {
    platform: await readMigrations(PLATFORM),
    migrations: migrations.map(({ sql, ...named }) => ({ ...named, sql: adapted(sql) })),
    repeatable: [adapted(await readFile(join(supabase, 'seed.sql'), 'utf8'))],
    exposeNewTables: true,
  })
  const port = await freePort()
  const config = readConfig({
    ...{ PORT: String(port), SITE_URL: `http://127.0.0.1:${port}`, DATA_DIR: join(supabase, 'data') },
    ...{ DEMO: 'off', OUTBOX: 'on', RATE_LIMITS: 'off', JWT_SECRET: 'upstream'.repeat(5) },
  })
  const app = await startApp(config, db, pino({ level: 'silent' }))
  const gateway = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, apikey: app.keys.anon }
    const { method, url: path } = incoming
    const onward = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', (error) => outgoing.destroy(error))
    incoming.pipe(onward)
  })
  await once(gateway.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (gateway.address() as AddressInfo).port,
    close: async () => {
      gateway.closeAllConnections()
      gateway.close()
      await app.close()
      await db.close()
    },
  }
}

/** Without PostGIS, which few machines have, shapes are text. */
const adapted = (sql: string) =>
  sql
    .replace(/^alter role authenticator.*$/gm, '')
    .replace(/^create extension.* postgis .*$/m, 'create domain extensions.geometry as text;')
    .replace(/extensions\.geometry\s*\([^)]*\)/g, 'extensions.geometry')

interface JestReport {
  testResults: {
    name: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

const CONFIG = {
  testMatch: ['<rootDir>/test/*.test.ts'],
  testTimeout: 30_000,
  testSequencer: '<rootDir>/test/testSequencer.js',
  transform: { '\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }] },
}

async function runJest(folder: string): Promise<Outcome[]> {
  const config = join(folder, 'upstream.config.json')
  const report = join(folder, 'upstream.report.json')
  await rm(join(folder, 'jest.config.ts'))
  await writeFile(config, JSON.stringify({ rootDir: folder, ...CONFIG }))
  const jest = join(folder, 'node_modules/jest/bin/jest.js')
  const args = [jest, '--config', config, '--ci', '--runInBand', '--json', '--outputFile', report]
  const run = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' })
  await once(run, 'exit')
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as JestReport
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const file = name.replace(/.*\/test\//, '').replace('.test.ts', '')
    if (assertionResults.length === 0) return [{ test: file, result: 'unread' as const, why: message }]
    return assertionResults.map(({ fullName, status, failureMessages }) => ({
      test: `${file}: ${fullName}`,
      result:
        status === 'passed'
          ? ('passed' as const)
          : status === 'failed'
            ? ('failed' as const)
            : ('unread' as const),
      why: failureMessages.join('\n'),
    }))
  })
}
