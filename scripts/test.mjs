// `npm test` tests every rule once. `npm run test:deep` runs all other tests. Arguments name single suites: npm test --
// server screens
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBrowser } from './browser.mjs'
import { buildChanged } from './build.mjs'
import { derive } from './derive.mjs'
import { CACHE, ensureInstalled, fail, ROOT, run } from './install.mjs'
import { ensurePostgres, findPostgres } from './postgres.mjs'
import { reportWeight } from './weight.mjs'

const deep = process.argv.includes('--deep')
const SUITES = deep
  ? ['screens with checks', 'deep', 'on PGlite', 'e2e']
  : ['unit', 'server', 'database', 'screens', 'e2e']

ensureInstalled()
const chosen = process.argv.slice(2).filter((argument) => argument !== '--deep')
const unknown = chosen.filter((name) => !SUITES.includes(name))
if (unknown.length > 0) fail(`No suite is called ${unknown.join(', ')}; there are ${SUITES.join(', ')}.`)
const runs = SUITES.filter((name) => chosen.length === 0 || chosen.includes(name))
const browser = runs.includes('e2e') ? await ensureBrowser() : undefined
ensurePostgres()
const started = Date.now()
await derive()
await buildChanged()

const suites = []
if (runs.some((name) => name !== 'e2e')) suites.push(...(await runVitest()))
if (runs.includes('e2e')) {
  // Demo data exists only on PGlite, and screens look the same on both engines, so only the deep story also runs on
  // Postgres.
  suites.push(runPlaywright('e2e', 'pglite'))
  if (deep && findPostgres()) suites.push(runPlaywright('e2e on Postgres', 'postgres'))
}

// Failures are repeated at the end, where people look first in a long log.
for (const { name, failures } of suites)
  for (const failure of failures) console.error(`\nFailed (${name}) ${failure}`)
reportWeight(suites, { whole: chosen.length === 0 && !deep })
if (!findPostgres())
  console.log('Everything ran on PGlite: this machine has no Postgres 15 or newer that could be started.')
console.log(`Everything took ${((Date.now() - started) / 1000).toFixed(0)} s.`)
const sum = (count) => suites.reduce((total, suite) => total + count(suite), 0)
console.log(`\n${sum(({ passed }) => passed)} passed, ${sum(({ failures }) => failures.length)} failed`)
process.exit(suites.every(({ passed, failures }) => passed > 0 && failures.length === 0) ? 0 : 1)

/** Runs the suites that need no browser. The seconds of a suite are the sum over all its workers. */
async function runVitest() {
  process.env.NODE_ENV = 'test'
  const { startVitest } = await import('vitest/node')
  const vitest = await startVitest('test', [], { run: true, root: ROOT, project: runs })
  const found = new Map(
    vitest.projects.map(({ name }) => [name, { name, passed: 0, failures: [], seconds: 0, files: [] }]),
  )
  for (const file of vitest.state.getTestModules()) {
    const suite = found.get(file.project.name)
    const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
      file.diagnostic()
    const seconds =
      (environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1000
    suite.seconds += seconds
    suite.files.push({ name: file.relativeModuleId, seconds })
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
  const failures = unhandled.map(({ message }) => message)
  return failures.length === 0
    ? [...found.values()]
    : [...found.values(), { name: 'outside of any test', passed: 0, failures, seconds: 0, files: [] }]
}

/** Tests the built product in a browser; `deep` checks every state in every width and colour scheme. */
function runPlaywright(name, engine) {
  const report = join(CACHE, `e2e-${engine}.json`)
  mkdirSync(CACHE, { recursive: true })
  const env = {
    ...process.env,
    TEST_ON: engine,
    ...(deep && { TEST_DEEP: 'yes' }),
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    ...browser,
  }
  const args = [
    'playwright',
    'test',
    '--config',
    'e2e/playwright.config.ts',
    `--reporter=list,json,${join(ROOT, 'e2e/accessibility-record.ts')}`,
  ]
  const isOk = run('npx', ['--no-install', ...args], { env })
  const { stats, suites: listed } = JSON.parse(readFileSync(report, 'utf8'))
  const failures = listed.flatMap(failuresIn)
  if (!isOk && failures.length === 0) failures.push('the runner itself failed, see above')
  const files = listed.map(({ file, ...suite }) => ({ name: `e2e/${file}`, seconds: secondsIn(suite) }))
  const seconds = files.reduce((total, file) => total + file.seconds, 0)
  return { name, passed: stats.expected, failures, seconds, files }
}

function secondsIn({ suites: inner = [], specs = [] }) {
  const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results))
  const own = results.reduce((total, { duration }) => total + duration / 1000, 0)
  return inner.reduce((total, suite) => total + secondsIn(suite), own)
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
