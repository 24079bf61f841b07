import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'server',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: process.env.TEST_ON === 'postgres' ? 'test/postgres-cluster.ts' : 'test/no-cluster.ts',
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
})
