// `npm test`: every suite. Names of suites as arguments run only those: npm test -- server screens
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBrowser } from './browser.mjs'
import { buildChanged } from './build.mjs'
import { CACHE, ensureInstalled, fail, ROOT } from './install.mjs'
import { findPostgres } from './postgres.mjs'

const SUITES = ['unit', 'server', 'database', 'screens', 'e2e']

ensureInstalled()
const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !SUITES.includes(name))
if (unknown.length > 0) fail(`No suite is called ${unknown.join(', ')}; there are ${SUITES.join(', ')}.`)
const runs = SUITES.filter((name) => chosen.length === 0 || chosen.includes(name))
const browser = runs.includes('e2e') ? await ensureBrowser() : undefined
const started = Date.now()
await buildChanged()

const suites = []
if (runs.some((name) => name !== 'e2e')) suites.push(...(await runVitest()))
if (runs.includes('e2e'))
  suites.push(
    await runPlaywright('pglite', 'PGlite'),
    ...(findPostgres() ? [await runPlaywright('postgres', 'Postgres')] : []),
  )

// Said again at the very end, where a long log is read first.
for (const { name, failures } of suites)
  for (const failure of failures) console.error(`\nFailed (${name}) ${failure}`)
console.log('\nSeconds of work by suite, two workers together; e2e by the clock.')
for (const { name, passed, failures, seconds } of suites)
  console.log(
    `${name.padEnd(22)}${String(passed).padStart(6)} passed${String(failures.length).padStart(5)} failed${seconds.toFixed(0).padStart(7)} s`,
  )
if (!findPostgres())
  console.log('Nothing ran on Postgres: this machine has no version 15 or newer (initdb, postgres).')
console.log(`Everything took ${((Date.now() - started) / 1000).toFixed(0)} s.`)
const sum = (count) => suites.reduce((total, suite) => total + count(suite), 0)
console.log(`\n${sum(({ passed }) => passed)} passed, ${sum(({ failures }) => failures.length)} failed`)
process.exit(suites.every(({ passed, failures }) => passed > 0 && failures.length === 0) ? 0 : 1)

/** The suites that need no browser, on every engine this machine has, side by side. */
async function runVitest() {
  process.env.NODE_ENV = 'test'
  const { startVitest } = await import('vitest/node')
  const vitest = await startVitest('test', [], {
    run: true,
    root: ROOT,
    project: runs.map((name) => `${name}*`),
  })
  const found = new Map(
    vitest.projects.map(({ name }) => [name, { name, passed: 0, failures: [], seconds: 0 }]),
  )
  for (const file of vitest.state.getTestModules()) {
    const suite = found.get(file.project.name)
    const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
      file.diagnostic()
    suite.seconds +=
      (environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1000
    for (const error of file.errors()) suite.failures.push(`${file.relativeModuleId}: ${error.message}`)
    for (const test of file.children.allTests()) {
      const { state, errors = [] } = test.result()
      if (state === 'passed') suite.passed += 1
      if (state === 'failed')
        suite.failures.push(`${file.relativeModuleId}: ${test.fullName}\n${firstLines(errors)}`)
    }
  }
  const unhandled = vitest.state.getUnhandledErrors()
  await vitest.close()
  return unhandled.length === 0
    ? [...found.values()]
    : [
        ...found.values(),
        {
          name: 'outside of any test',
          passed: 0,
          failures: unhandled.map(({ message }) => message),
          seconds: 0,
        },
      ]
}

/** The built product in a real browser. */
async function runPlaywright(engine, title) {
  const report = join(CACHE, `e2e-${engine}.json`)
  mkdirSync(CACHE, { recursive: true })
  const since = Date.now()
  const status = await new Promise((done) => {
    spawn(
      'npx',
      ['--no-install', 'playwright', 'test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'],
      {
        cwd: ROOT,
        stdio: 'inherit',
        shell: process.platform === 'win32',
        env: {
          ...process.env,
          TEST_ON: engine,
          PLAYWRIGHT_JSON_OUTPUT_NAME: report,
          ...(browser && { CHROMIUM_PATH: browser }),
        },
      },
    ).once('exit', (code) => done(code ?? 1))
  })
  const { stats, suites: files } = JSON.parse(readFileSync(report, 'utf8'))
  const failures = files.flatMap(failuresIn)
  if (status !== 0 && failures.length === 0) failures.push('the runner itself failed, see above')
  return { name: `e2e on ${title}`, passed: stats.expected, failures, seconds: (Date.now() - since) / 1000 }
}

function failuresIn({ suites: inner = [], specs = [] }) {
  return [
    ...specs
      .filter(({ ok }) => !ok)
      .map(({ file, title, tests }) => {
        const errors = tests.flatMap((test) => test.results.flatMap((result) => result.errors))
        return `${file}: ${title}\n${firstLines(errors)}`
      }),
    ...inner.flatMap(failuresIn),
  ]
}

function firstLines(errors) {
  return errors
    .map(({ message }) => message)
    .join('\n')
    .split('\n')
    .slice(0, 20)
    .join('\n')
}
