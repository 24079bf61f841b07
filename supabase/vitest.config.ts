import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'supabase',
    include: ['tests/**/*.test.ts'],
    globalSetup:
      process.env.TEST_ON === 'postgres'
        ? '../server/test/postgres-cluster.ts'
        : '../server/test/no-cluster.ts',
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
})
