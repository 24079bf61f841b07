// Describes the machine and software the figures were measured with.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, platform, release, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT } from '../scripts/install.mjs'

/** Returns pairs of name and value. `postgres` is the cluster's version, undefined if there is none. */
export function describeMachine(postgres) {
  const [cpu] = cpus()
  const server = join(ROOT, 'server/package.json')
  return [
    ['Date', new Date().toISOString().slice(0, 10)],
    ['Commit', commit()],
    ['Processor', `${cpu?.model.trim()}, ${cpus().length} cores`],
    ['Memory', `${Math.round(totalmem() / 2 ** 30)} GB`],
    ['System', `${platform()} ${release()}`],
    ['Node', process.versions.node],
    ['Postgres', postgres ?? 'none on this machine: not measured'],
    ['PGlite of our server', versionOf('@electric-sql/pglite', server)],
    ['pg', versionOf('pg', server)],
    [
      'Peer',
      `@supabase/lite ${versionOf('@supabase/lite')}, with its PGlite ${versionOf('@electric-sql/pglite')}`,
    ],
  ]
}

// Some packages do not export their package.json, so this looks for it in the folders where packages are installed.
function versionOf(name, from = import.meta.filename) {
  const folders = createRequire(from).resolve.paths(name) ?? []
  for (const folder of folders) {
    try {
      return JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')).version
    } catch (error) {
      if (error.code !== 'ENOENT') throw error
    }
  }
  throw new Error(`${name} is not installed for ${dirname(from)}`)
}

function commit() {
  const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
  const changed = git('status', '--porcelain', '--', 'server', 'supabase', 'scripts') !== ''
  return `${git('rev-parse', '--short', 'HEAD')}${changed ? ' with uncommitted changes' : ''}`
}
