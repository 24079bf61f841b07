import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { findPostgres } from './scripts/postgres.mjs'
import { messages } from './web/build/language/plugin.ts'

// Test files in one worker share their modules, so a file may leave behind only state that the next one clears
// (web/test/setup.ts).
const shared = { isolate: false, testTimeout: 120_000, hookTimeout: 120_000 }
const patient = { ...shared, testTimeout: 240_000, hookTimeout: 240_000 }
const screens = {
  ...shared,
  root: 'web',
  environment: join(import.meta.dirname, 'web/test/environment.ts'),
  setupFiles: join(import.meta.dirname, 'web/test/setup.ts'),
}
// Suites run one after the other, each on all workers: a worker that changes suites restarts and loads everything again.
let turn = 0
type Suite = NonNullable<TestProjectInlineConfiguration['test']> & { name: string }
const suite = (test: Suite): TestProjectInlineConfiguration => ({
  plugins: [messages()],
  oxc: { jsx: { development: false } },
  test: { ...test, sequence: { groupOrder: turn++ } },
})

const SERVER = 'server/{src,test}/**/*.test.ts'
const DATABASE = 'supabase/tests/**/*.test.ts'
// Slow tests that few changes can break: archives, copies, kills, crowds and restarts.
const DEEP = '{server,supabase,web}/**/*.deep.test.ts'
// Tests that restart Postgres, and so cannot run on PGlite.
const OF_POSTGRES = 'server/test/postgres-*.test.ts'
const OF_PG_CRON = 'server/test/postgres-pg-cron.deep.test.ts'
// Simulates hundreds of owners' lives, which would take PGlite a quarter of an hour; on PGlite connected.test.ts runs four.
const OF_LIVES = 'supabase/tests/model/connected.deep.test.ts'
const FIRST_SIGHT = 'web/test/first-sight.test.tsx'
const OF_PGLITE = 'server/test/data-folder.test.ts'
// Failovers, poolers and restores, with Debian's packages: `npm run recovery`.
const RECOVERY = '{server,supabase}/**/*.recovery.ts'
const OF_ARCHIVE = 'supabase/tests/archive.deep.test.ts'

const bin = findPostgres()
const postgres = bin !== undefined
const pgCron = postgres && existsSync(join(bin, '../lib/pg_cron.so'))
/** Runs a suite on PGlite although the machine has a Postgres. Without a Postgres, every suite runs on PGlite. */
const onPglite = { provide: { clusterUrl: '' } }
// With TEST_PG_CRON, each test database has pg_cron. Tests of our replacement for pg_cron are then left out, and so are
// tests that list all objects of a database, because pg_cron adds its own.
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
    // A module that is unchanged since the last run is not compiled again.
    experimental: {
      fsModuleCache: true,
      fsModuleCachePath: join(import.meta.dirname, 'node_modules/.cache/potluck/modules'),
    },
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
        ...screens,
        name: 'screens',
        include: ['src/**/*.test.tsx', 'test/**/*.test.{ts,tsx}'],
        exclude: ['test/*.deep.test.ts', FIRST_SIGHT.replace('web/', '')],
        // React without its checks for developers, which take a quarter of the time (test/react.ts).
        env: { NODE_ENV: 'production' },
      }),
      // npm run test:deep
      suite({ ...screens, name: 'screens with checks', include: ['test/screens/routes.test.tsx'] }),
      suite({
        ...patient,
        name: 'deep',
        include: [DEEP],
        exclude: [...withoutPostgres, ...(pgCron ? [] : [OF_PG_CRON])],
      }),
      // npm run recovery
      suite({ ...patient, name: 'recovery', include: [RECOVERY] }),
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
