import { defineConfig } from '@playwright/test'

const executablePath = process.env.CHROMIUM_PATH

// A few journeys through the built app, one after the other: each starts a server of its own.
export default defineConfig({
  testDir: '.',
  // Demo data exists only in the embedded database, and screens look alike on both.
  testMatch: process.env.TEST_ON === 'postgres' ? 'story.test.ts' : '*.test.ts',
  outputDir: 'test-results',
  workers: 1,
  timeout: 180_000,
  expect: { timeout: 15_000 },
  use: {
    actionTimeout: 10_000,
    navigationTimeout: 15_000,
    trace: 'retain-on-failure',
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        // Chromium refuses its sandbox to root; the pages are our own, from loopback.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--hide-scrollbars',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
