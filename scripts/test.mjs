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
const results = { passed: 0, failed: 0, broken: [], failures: [] }
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
// Said again at the very end, where a long log is read first.
for (const failure of results.failures) console.error(`\nFailed ${failure}`)
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
  results.failures.push(...counts.failures.map((failure) => `(${title}) ${failure}`))
  if (status !== 0 || counts.passed === 0) results.broken.push(title)
}

function countsOf(tool, report) {
  try {
    const found = JSON.parse(readFileSync(report, 'utf8'))
    if (tool === 'vitest') return vitestCounts(found)
    return {
      passed: found.stats.expected,
      failed: found.stats.unexpected + found.stats.flaky,
      failures: found.suites.flatMap(playwrightFailures),
    }
  } catch (error) {
    console.error(`The report of ${tool} could not be read: ${error.message}`)
    return { passed: 0, failed: 0, failures: [] }
  }
}

function vitestCounts({ numPassedTests: passed, numFailedTests: failed, testResults: files }) {
  const tests = files.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(
        ({ fullName, failureMessages }) => `${name}: ${fullName}\n${firstLines(failureMessages.join('\n'))}`,
      ),
  )
  const broken = files
    .filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
    .map(({ name, message }) => `${name}\n${firstLines(message)}`)
  return { passed, failed, failures: [...tests, ...broken] }
}

function playwrightFailures({ suites = [], specs = [] }) {
  return [
    ...specs
      .filter(({ ok }) => !ok)
      .map(({ file, title, tests }) => {
        const errors = tests.flatMap((test) => test.results.flatMap((result) => result.errors))
        return `${file}: ${title}\n${firstLines(errors.map(({ message }) => message).join('\n'))}`
      }),
    ...suites.flatMap(playwrightFailures),
  ]
}

function firstLines(text) {
  return text.split('\n').slice(0, 20).join('\n')
}
