import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { findPostgres } from './scripts/postgres.mjs'

// Files share their worker's modules, so they leave nothing behind but what the next one clears (web/test/setup.ts).
const shared = { isolate: false, testTimeout: 240_000, hookTimeout: 240_000 }
// One suite after the other, each on both workers: a worker that changes suites starts anew and loads everything again.
let turn = 0
const inTurn = () => ({ groupOrder: turn++ })
// What restarts Postgres has nothing to restart on PGlite.
const ofPostgresAlone = 'test/postgres-*.test.ts'

/** A suite on PGlite, and on a throwaway Postgres where the machine has one. */
function onBothEngines(name: string, root: string, include: string[]): TestProjectInlineConfiguration[] {
  const suite = { ...shared, root, include }
  return [
    { test: { ...suite, name: `${name} on PGlite`, sequence: inTurn(), exclude: [ofPostgresAlone] } },
    ...(findPostgres()
      ? [
          {
            test: {
              ...suite,
              name: `${name} on Postgres`,
              sequence: inTurn(),
              globalSetup: join(import.meta.dirname, 'server/test/postgres-cluster.ts'),
            },
          },
        ]
      : []),
  ]
}

// One runner for every suite. The database, server and screen suites boot the real server in process.
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { test: { ...shared, name: 'unit', root: 'web', include: ['src/**/*.test.ts'], sequence: inTurn() } },
      ...onBothEngines('server', 'server', ['{src,test}/**/*.test.ts']),
      ...onBothEngines('database', 'supabase', ['tests/**/*.test.ts']),
      {
        test: {
          ...shared,
          name: 'screens',
          sequence: inTurn(),
          root: 'web',
          include: ['src/**/*.test.tsx', 'test/**/*.test.{ts,tsx}'],
          environment: join(import.meta.dirname, 'web/test/environment.ts'),
          setupFiles: join(import.meta.dirname, 'web/test/setup.ts'),
        },
      },
    ],
  },
})
