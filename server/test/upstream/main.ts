// npm run upstream: runs the test suites of PostgREST and of Supabase's clients against this server.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { findPostgres } from '../../../scripts/postgres.mjs'
import { startCluster } from '../cluster.ts'
import { runClient } from './clients.ts'
import { runPostgrest } from './postgrest.ts'
import { type Figures, report, table } from './report.ts'

const CACHE = resolve(import.meta.dirname, '../../../node_modules/.cache/upstream')
const REPOSITORIES = { postgrest: 'PostgREST/postgrest', 'supabase-js': 'supabase/supabase-js' }
const CLIENTS = ['postgrest-js', 'auth-js', 'supabase-js'] as const
// The test runner, and the packages that the clients and their tests import.
const TOOLS = [
  ...['jest@30.4.2', '@swc/core', '@swc/jest', 'zod@4', 'tslib', 'ws@8'],
  ...['@supabase/phoenix', 'iceberg-js', '@faker-js/faker@9', 'jsonwebtoken@9', '@opentelemetry/api@1'],
  ...['@opentelemetry/context-async-hooks@2', '@opentelemetry/core@2', '@opentelemetry/sdk-trace-node@2'],
]

/** `folder` contains clones named `postgrest` and `supabase-js`; without a folder, they are fetched from GitHub. */
export async function main([folder]: string[]): Promise<number> {
  const bin = findPostgres()
  if (!bin)
    throw new Error(
      'This needs a Postgres server on this machine: PostgREST’s fixtures do not load into PGlite.',
    )
  const [postgrest, clients] = [checkout('postgrest', folder), checkout('supabase-js', folder)]
  await installTools()
  const cluster = await startCluster(bin)
  try {
    const ofPostgrest = report('PostgREST', await runPostgrest(postgrest.path, cluster.url))
    const suites: [string, Figures][] = [[`PostgREST ${postgrest.commit}`, ofPostgrest]]
    for (const name of CLIENTS) {
      const outcomes = await runClient(name, clients.path, cluster.url, CACHE)
      suites.push([`${name} ${clients.commit}`, report(name, outcomes)])
    }
    table(suites)
    return suites.some(([, { differ }]) => differ > 0) ? 1 : 0
  } finally {
    await cluster.stop()
  }
}

function checkout(name: keyof typeof REPOSITORIES, folder: string | undefined) {
  const path = folder === undefined ? join(CACHE, name) : resolve(folder, name)
  if (!existsSync(path)) {
    if (folder !== undefined) throw new Error(`There is no clone at ${path}`)
    mkdirSync(CACHE, { recursive: true })
    const url = `https://github.com/${REPOSITORIES[name]}`
    try {
      execFileSync('git', ['clone', '--quiet', '--depth', '1', url, path], { stdio: 'inherit' })
    } catch (error) {
      const help = `Give a folder with clones: npm run upstream -- <folder of postgrest and supabase-js>`
      throw new Error(`${url} could not be cloned. ${help}`, { cause: error })
    }
  }
  const isClone = existsSync(join(path, '.git'))
  const commit = isClone
    ? execFileSync('git', ['-C', path, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
    : 'a folder without history'
  return { path, commit }
}

async function installTools(): Promise<void> {
  mkdirSync(CACHE, { recursive: true })
  if (existsSync(join(CACHE, 'node_modules/@opentelemetry/core'))) return
  await writeFile(join(CACHE, 'package.json'), '{"private":true}')
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-save', ...TOOLS], {
    ...{ cwd: CACHE, stdio: 'inherit' },
  })
}
