// Installs missing dependencies, so that every command works in a fresh clone.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '..')
export const CACHE = join(ROOT, 'node_modules/.cache/potluck')

const MINIMUM = [20, 19]

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])) return
  fail(`Potluck needs Node ${MINIMUM.join('.')} or newer; this is ${process.versions.node}.`)
}

/**
 * Installs the locked versions in `folder`, unless this lock file was installed last. Installs all packages, or with
 * `dev: false` only those needed to build and run (but keeps the others if they are installed). `npm ci` is not used,
 * because it would refuse a lock file from another system, which lacks this system's native packages.
 */
export function ensureInstalled(folder = ROOT, { dev = true } = {}) {
  requireNode()
  const lock = join(folder, 'package-lock.json')
  const stamp = join(folder, 'node_modules/.cache/potluck/installed')
  const installed = join(folder, 'node_modules/.package-lock.json')
  const wanted = hash(readFileSync(lock))
  const hasDev = existsSync(installed) && namesDev(installed)
  const lacksDev = dev && !hasDev && namesDev(lock)
  if (!lacksDev && existsSync(stamp) && existsSync(installed) && readFileSync(stamp, 'utf8') === wanted)
    return
  if (lacksDev || !existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) {
    const done = step('Installing packages')
    const which = dev || hasDev ? '--include=dev' : '--omit=dev'
    const args = ['install', '--no-save', which, '--no-audit', '--no-fund', '--loglevel=error']
    if (!run('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] }))
      fail(`"npm ${args.join(' ')}" failed; what it needs is named above. Is this machine connected?`)
    done()
  }
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}

/** True if a lock file has packages for development only. npm also keeps such a file for the installed packages. */
const namesDev = (file) => /^ +"dev": true/m.test(readFileSync(file, 'utf8'))

const unfinished = []

/**
 * Prints that a step has begun. The returned function prints the step's duration in seconds, or the given outcome. Each
 * step has its own line, in the order in which steps begin; a step that runs beside an earlier one is printed when that
 * one is done.
 */
export function step(title) {
  const own = { title, started: performance.now() }
  unfinished.push(own)
  if (unfinished[0] === own) process.stdout.write(`${title} … `)
  return (outcome = `${((performance.now() - own.started) / 1000).toFixed(1)} s`) => {
    own.took = outcome
    while (unfinished[0]?.took) {
      process.stdout.write(`${unfinished.shift().took}\n`)
      if (unfinished[0]) process.stdout.write(`${unfinished[0].title} … `)
    }
  }
}

/** Prints these lines on their own, even while the line of a step is not finished. */
export function say(lines) {
  if (lines) console.error((unfinished.length > 0 ? '\n' : '') + lines.trimEnd())
}

/** Runs a command that prints its own output. Returns true if it succeeded. */
export function run(command, args, options = {}) {
  const shell = process.platform === 'win32' && command !== process.execPath
  return spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', shell, ...options }).status === 0
}

/** Returns the paths of matching files below a folder, except for installed and built files. */
export const filesUnder = (folder, like) =>
  readdirSync(join(ROOT, folder), { recursive: true })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => like.test(path) && !/(^|\/)(node_modules|dist)\//.test(path))

export function hash(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}

export function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
