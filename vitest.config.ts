import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { findPostgres } from './scripts/postgres.mjs'
import { messages } from './web/build/language/plugin.ts'

// Files share their worker's modules, so they leave nothing behind but what the next one clears (web/test/setup.ts).
const shared = { isolate: false, testTimeout: 120_000, hookTimeout: 120_000 }
const patient = { ...shared, testTimeout: 240_000, hookTimeout: 240_000 }
// One suite after the other, each on all workers: a worker that changes suites starts anew and loads everything again.
let turn = 0
type Suite = NonNullable<TestProjectInlineConfiguration['test']> & { name: string }
const suite = (test: Suite): TestProjectInlineConfiguration => ({
  plugins: [messages()],
  test: { ...test, sequence: { groupOrder: turn++ } },
})

const SERVER = 'server/{src,test}/**/*.test.ts'
const DATABASE = 'supabase/tests/**/*.test.ts'
// The kills, copies, crowds and restarts, which take long and which few changes can break.
const DEEP = '{server,supabase,web}/**/*.deep.test.ts'
// What restarts Postgres has nothing to restart on PGlite.
const OF_POSTGRES = 'server/test/postgres-*.test.ts'
const OF_PG_CRON = 'server/test/postgres-pg-cron.deep.test.ts'
// Hundreds of lives, of which PGlite would need a quarter of an hour; it lives the four of connected.test.ts.
const OF_LIVES = 'supabase/tests/model/connected.deep.test.ts'
const FIRST_SIGHT = 'web/test/first-sight.test.tsx'
const OF_PGLITE = 'server/test/data-folder.test.ts'
const OF_ARCHIVE = 'supabase/tests/archive.test.ts'

const bin = findPostgres()
const postgres = bin !== undefined
const pgCron = postgres && existsSync(join(bin, '../lib/pg_cron.so'))
/** A suite for PGlite, on a machine that has a Postgres: else every suite is. */
const onPglite = { provide: { clusterUrl: '' } }
// With pg_cron in each of their databases, there is nothing to test of what replaces it, and more in them than is ours.
const standIn = process.env.TEST_PG_CRON
  ? ['server/test/cron.test.ts', 'server/test/postgres-cron.test.ts']
  : []
const countingAll = process.env.TEST_PG_CRON
  ? ['every-object', 'schemas', 'authorization/out-of-reach'].map((name) => `supabase/tests/${name}.test.ts`)
  : []
const withoutPostgres = postgres ? [] : [OF_POSTGRES]

// One runner for every suite. The database, server and screen suites boot the real server in process.
export default defineConfig({
  test: {
    maxWorkers: 3,
    // One throwaway Postgres for all of them.
    ...(postgres && { globalSetup: join(import.meta.dirname, 'server/test/postgres-cluster.ts') }),
    projects: [
      // npm test
      // The build draws pages without a browser, and React takes one renderer a worker.
      suite({ ...shared, name: 'unit', include: ['web/src/**/*.test.ts', FIRST_SIGHT] }),
      suite({
        ...shared,
        name: 'server',
        include: [SERVER],
        exclude: [DEEP, ...standIn, ...withoutPostgres, ...(postgres ? [OF_PGLITE] : [])],
      }),
      suite({ ...shared, name: 'database', include: [DATABASE], exclude: [DEEP, ...countingAll] }),
      suite({
        ...shared,
        name: 'screens',
        root: 'web',
        include: ['src/**/*.test.tsx', 'test/**/*.test.{ts,tsx}'],
        exclude: ['test/*.deep.test.ts', FIRST_SIGHT.replace('web/', '')],
        environment: join(import.meta.dirname, 'web/test/environment.ts'),
        setupFiles: join(import.meta.dirname, 'web/test/setup.ts'),
      }),
      // npm run test:deep
      suite({
        ...patient,
        name: 'deep',
        include: [DEEP],
        exclude: [...withoutPostgres, ...(pgCron ? [] : [OF_PG_CRON])],
      }),
      ...(postgres
        ? [
            suite({
              ...patient,
              ...onPglite,
              name: 'on PGlite',
              include: [SERVER, DATABASE],
              exclude: [OF_POSTGRES, OF_LIVES, OF_ARCHIVE],
            }),
          ]
        : []),
    ],
  },
})
