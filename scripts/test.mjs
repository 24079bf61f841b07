// `npm test`: every suite. Names of suites as arguments run only those: npm test -- server web
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBrowser } from './browser.mjs'
import { buildChanged } from './build.mjs'
import { CACHE, ensureInstalled, ROOT } from './install.mjs'
import { findPostgres } from './postgres.mjs'

ensureInstalled()
const postgres = findPostgres() !== undefined
const browser = await ensureBrowser()

const vitest = (...projects) => ['vitest', 'run', ...projects.map((name) => `--project=${name}`)]
const SUITES = [
  { name: 'server', run: vitest('server'), on: 'pglite' },
  { name: 'database', run: vitest('supabase'), on: 'pglite' },
  { name: 'web', run: vitest('web'), on: 'pglite' },
  { name: 'server', run: vitest('server'), on: 'postgres' },
  { name: 'database', run: vitest('supabase'), on: 'postgres' },
  { name: 'e2e', run: ['playwright', 'test', '--config', 'e2e/playwright.config.ts'], on: 'pglite' },
  { name: 'e2e', run: ['playwright', 'test', '--config', 'e2e/playwright.config.ts'], on: 'postgres' },
]

const chosen = process.argv.slice(2)
const results = { passed: 0, failed: 0, broken: [] }
rmSync(join(CACHE, 'results'), { recursive: true, force: true })
mkdirSync(join(CACHE, 'results'), { recursive: true })
await buildChanged()
for (const [index, suite] of SUITES.entries()) {
  if (chosen.length > 0 && !chosen.includes(suite.name)) continue
  const title = `${suite.name} on ${suite.on === 'postgres' ? 'Postgres' : 'PGlite'}`
  if (suite.on === 'postgres' && !postgres) {
    console.log(`\n== ${title}: not run, this machine has no Postgres 15 or newer (initdb, postgres) ==`)
    continue
  }
  console.log(`\n== ${title} ==`)
  await runSuite(title, suite, join(CACHE, 'results', `${index}.json`))
}
if (results.broken.length > 0) console.error(`\nFailed: ${results.broken.join(', ')}`)
console.log(`\n${results.passed} passed, ${results.failed} failed`)
process.exit(results.broken.length === 0 ? 0 : 1)

async function runSuite(title, { run, on }, report) {
  const [tool, ...args] = run
  const reporters =
    tool === 'vitest'
      ? ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
      : ['--reporter=list,json']
  const status = await new Promise((done) => {
    spawn('npx', ['--no-install', tool, ...args, ...reporters], {
      cwd: ROOT,
      stdio: 'inherit',
      shell: process.platform === 'win32',
      env: {
        ...process.env,
        TEST_ON: on,
        PLAYWRIGHT_JSON_OUTPUT_NAME: report,
        ...(browser && { CHROMIUM_PATH: browser }),
      },
    }).once('exit', (code) => done(code ?? 1))
  })
  const counts = countsOf(tool, report)
  results.passed += counts.passed
  results.failed += counts.failed
  if (status !== 0 || counts.passed === 0) results.broken.push(title)
}

function countsOf(tool, report) {
  try {
    const found = JSON.parse(readFileSync(report, 'utf8'))
    if (tool === 'vitest') return { passed: found.numPassedTests, failed: found.numFailedTests }
    return { passed: found.stats.expected, failed: found.stats.unexpected + found.stats.flaky }
  } catch (error) {
    console.error(`The report of ${tool} could not be read: ${error.message}`)
    return { passed: 0, failed: 0 }
  }
}
