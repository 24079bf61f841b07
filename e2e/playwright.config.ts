import { defineConfig } from '@playwright/test'

/** Launch options for a browser: Playwright's own, unless another path is given. */
export const launched = (executablePath = process.env.CHROMIUM_PATH) => ({
  ...(executablePath && { executablePath }),
  args: [
    // Chromium's sandbox does not run as root. The tests need none: they open only this project's pages, from loopback.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-gpu',
    '--hide-scrollbars',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    // The host name of the site when nginx runs in front of it.
    '--host-resolver-rules=MAP example.org 127.0.0.1',
  ],
})

const STORY = 'story.test.ts'
const NOT_LOOKED_AT = [STORY, ...(process.env.TEST_DEEP === undefined ? ['*.deep.test.ts'] : [])]

// Tests the built app in two browsers in parallel.
export default defineConfig({
  testDir: '.',
  globalSetup: './potluck.ts',
  projects: [
    // The story takes longest, so it runs first.
    { name: 'story', testMatch: STORY },
    // Screens need demo data, which exists only on PGlite, and look the same on both databases.
    ...(process.env.TEST_ON === 'postgres' ? [] : [{ name: 'screens', testIgnore: NOT_LOOKED_AT }]),
  ],
  outputDir: 'test-results',
  workers: 2,
  timeout: 300_000,
  expect: { timeout: 30_000 },
  use: {
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    // nginx.ts uses a self-signed certificate.
    ignoreHTTPSErrors: process.env.TEST_NGINX !== undefined,
    launchOptions: launched(),
  },
})
