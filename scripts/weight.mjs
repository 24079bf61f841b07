// Measures the tests: seconds and lines by suite, the slowest files, and the growth since the last release.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE, ROOT } from './install.mjs'

const LAST_RUN = join(CACHE, 'seconds.json')
const RELEASED = join(ROOT, 'scripts/weight.json')
/** Seconds in one worker above which a test file is named in the report. */
const HEAVY = 15

/** The folders in which the lines of a suite are counted, including helpers. */
const FOLDERS = {
  unit: { under: ['web/src'], like: /\.test\.ts$/ },
  server: { under: ['server'], like: /^server\/test\/.*\.ts$|\.test\.ts$/ },
  database: { under: ['supabase/tests'], like: /\.ts$/ },
  screens: { under: ['web'], like: /^web\/test\/.*\.tsx?$|\.test\.tsx$/ },
  e2e: { under: ['e2e'], like: /\.ts$/ },
}
const SOURCE = ['supabase', 'server', 'web', 'scripts', 'deploy']
/**
 * Files that are not counted, because they are installed, built or generated. Migrations are generated from the
 * schemas.
 */
const LEFT_OUT =
  /(^|\/)(node_modules|dist|releases|migrations|\.cache|\.tanstack)$|\.gen\.ts$|database\.types\.ts$/

/** Returns the lines of tests by suite, and the lines of hand-written source. */
export function countLines() {
  const lines = Object.fromEntries(
    Object.entries(FOLDERS).map(([suite, { under, like }]) => [
      suite,
      linesOf(under.flatMap(filesIn).filter((file) => like.test(file))),
    ]),
  )
  const isTest = (file) =>
    Object.values(FOLDERS).some(({ under, like }) => inAny(under, file) && like.test(file))
  const isSource = (file) => /\.(ts|tsx|mjs|js|sql|css|html)$/.test(file) && !isTest(file)
  return { ...lines, source: linesOf(SOURCE.flatMap(filesIn).filter(isSource)) }
}

/** Prints the report. `whole` says that all tests have run, and stores their seconds for `npm run release`. */
export function reportWeight(suites, { whole }) {
  const lines = countLines()
  const before = existsSync(RELEASED) ? JSON.parse(readFileSync(RELEASED, 'utf8')) : undefined
  const seconds = Object.fromEntries(suites.map((suite) => [suite.name, Math.round(suite.seconds)]))
  console.log(`\nSeconds of work, all workers together, and lines${before ? ` (${before.version})` : ''}`)
  for (const { name, passed, failures } of suites)
    console.log(
      `${name.padEnd(20)}${String(passed).padStart(6)} passed${String(failures.length).padStart(4)} failed` +
        `${figure(seconds[name], before?.seconds?.[name])} s${figure(lines[name], before?.lines[name])} lines`,
    )
  const tests = totalOf(lines)
  console.log(
    `${'tests in all'.padEnd(43)}${figure(totalSeconds(seconds), before?.seconds && totalSeconds(before.seconds))} s` +
      `${figure(tests, before && totalOf(before.lines))} lines, ${Math.round((tests / lines.source) * 100)}% of the source`,
  )
  const slowest = suites.flatMap(({ files }) => files).sort((a, b) => b.seconds - a.seconds)
  console.log('\nThe ten slowest files')
  for (const { name, seconds } of slowest.slice(0, 10))
    console.log(`${seconds.toFixed(1).padStart(8)} s  ${name}`)
  const heavy = slowest.filter((file) => file.seconds > HEAVY)
  if (whole && heavy.length > 0)
    console.log(`Heavier than ${HEAVY} s: ${heavy.map(({ name }) => name).join(', ')}`)
  if (!whole) return
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(LAST_RUN, JSON.stringify(seconds))
}

/** True if all tests have run on this machine, which a release needs to record their duration. */
export const isWeighed = () => existsSync(LAST_RUN)

/** Records the tests' lines at a release, and the seconds of the last complete run here. */
export function releaseWeight(version) {
  const seconds = JSON.parse(readFileSync(LAST_RUN, 'utf8'))
  writeFileSync(RELEASED, `${JSON.stringify({ version, lines: countLines(), seconds }, null, 2)}\n`)
}

const figure = (now, before) => {
  const growth =
    before === undefined || now === undefined ? '' : ` (${now < before ? '' : '+'}${now - before})`
  return `${String(now ?? '').padStart(8)}${growth.padEnd(9)}`
}
const totalOf = ({ source: _, ...suites }) => totalSeconds(suites)
const totalSeconds = (suites) => Object.values(suites).reduce((total, count) => total + count, 0)
const inAny = (folders, file) => folders.some((folder) => file.startsWith(`${folder}/`))
const linesOf = (files) =>
  [...new Set(files)].reduce(
    (total, file) => total + readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1,
    0,
  )

function filesIn(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .map((entry) => ({ path: `${folder}/${entry.name}`, entry }))
    .filter(({ path }) => !LEFT_OUT.test(path))
    .flatMap(({ path, entry }) => (entry.isDirectory() ? filesIn(path) : [path]))
}
