import { defineConfig } from 'vitest/config'

// One runner for every suite. The database, server and screen suites boot the real server in process.
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: ['supabase/vitest.config.ts', 'server/vitest.config.ts', 'web/vitest.config.ts'],
  },
})
