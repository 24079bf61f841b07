// Installs what is missing, so that every command works on a bare clone.
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
 * Installs the locked versions in `folder` unless its lock file is the one installed last. Not with
 * `npm ci`, which refuses a lock file from one system for lacking the native packages of another.
 */
export function ensureInstalled(folder = ROOT) {
  requireNode()
  const lock = join(folder, 'package-lock.json')
  const stamp = join(folder, 'node_modules/.cache/potluck/installed')
  const installed = join(folder, 'node_modules/.package-lock.json')
  const wanted = hash(readFileSync(lock))
  if (existsSync(stamp) && existsSync(installed) && readFileSync(stamp, 'utf8') === wanted) return
  if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) {
    console.log('Installing packages (a minute or two, only when they change) …')
    const args = ['install', '--no-save', '--include=dev', '--no-audit', '--no-fund']
    if (!run('npm', args, { cwd: folder }))
      fail(`"npm ${args.join(' ')}" failed; what it needs is named above. Is this machine connected?`)
  }
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}

/** Runs a command, which says for itself what it does; whether it succeeded. */
export function run(command, args, options = {}) {
  const shell = process.platform === 'win32' && command !== process.execPath
  return spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', shell, ...options }).status === 0
}

/** The files below a folder that are named like this, as paths from here; what is installed or built is left out. */
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
