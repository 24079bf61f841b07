import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react()],
  test: {
    name: 'web',
    environment: './test/environment.ts',
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
    globalSetup:
      process.env.TEST_ON === 'postgres'
        ? '../server/test/postgres-cluster.ts'
        : '../server/test/no-cluster.ts',
    setupFiles: ['test/setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // Whole screens over a real server on a machine of any speed: a second try is allowed, and the reporter names it.
    retry: 1,
  },
})
