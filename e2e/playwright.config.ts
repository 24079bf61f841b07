import { defineConfig } from '@playwright/test'

/** How a browser is started: Playwright's own, unless another is named. */
export const launched = (executablePath = process.env.CHROMIUM_PATH) => ({
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
    // The site behind nginx.
    '--host-resolver-rules=MAP example.org 127.0.0.1',
  ],
})

const STORY = 'story.test.ts'
const NOT_LOOKED_AT = [STORY, ...(process.env.TEST_DEEP === undefined ? ['*.deep.test.ts'] : [])]

// The built app, and a few journeys through it, in two browsers in parallel.
export default defineConfig({
  testDir: '.',
  globalSetup: './potluck.ts',
  projects: [
    // First, as it takes longest.
    { name: 'story', testMatch: STORY },
    // Demo data exists only in the embedded database, and screens look the same on both.
    ...(process.env.TEST_ON === 'postgres' ? [] : [{ name: 'screens', testIgnore: NOT_LOOKED_AT }]),
  ],
  outputDir: 'test-results',
  workers: 2,
  timeout: 300_000,
  expect: { timeout: 30_000 },
  use: {
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    // nginx.ts has a certificate of its own.
    ignoreHTTPSErrors: process.env.TEST_NGINX !== undefined,
    launchOptions: launched(),
  },
})
