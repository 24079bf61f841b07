// Runs one TypeScript file of the workspace, and its `main` if it exports one: node scripts/run.mjs path/to/file.ts
// [arguments]
import { join, relative } from 'node:path'
import { ensureInstalled, ROOT } from './install.mjs'

/** Paths of commands that work on a running site, and therefore need no development packages. */
const OPERATING = /^(supabase\/admin|server\/src)\//

/** Runs the file and returns its exports. */
export async function load(file) {
  ensureInstalled(ROOT, { dev: !OPERATING.test(file) })
  const { runnerImport } = await import('vite')
  const options = { root: ROOT, configFile: false, logLevel: 'error' }
  return (await runnerImport(join(ROOT, file), options)).module
}

if (relative(import.meta.filename, process.argv[1] ?? '') === '') {
  const [, , file, ...args] = process.argv
  const { main } = await load(file)
  if (main) process.exit(await main(args, process.env))
}
