// `npm run deno`: type-checks the Edge Functions in Deno, as on hosted Supabase, and runs their tests there.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, ROOT, run } from './install.mjs'

ensureInstalled()
ensureInstalled(join(ROOT, 'deno'))
const DENO = join(ROOT, 'deno/node_modules/.bin/deno')
const FUNCTIONS = join(ROOT, 'supabase/functions')

const orFail = (command, args) => run(command, args, { env: { ...process.env, DENO } }) || process.exit(1)
for (const { name } of readdirSync(FUNCTIONS, { withFileTypes: true }).filter(
  (entry) => entry.isDirectory() && /^[A-Za-z]/.test(entry.name),
)) {
  const folder = join(FUNCTIONS, name)
  orFail(DENO, ['check', '--config', join(folder, 'deno.json'), '--frozen', join(folder, 'index.ts')])
}
orFail('npx', ['--no-install', 'vitest', 'run', '--project', 'database', 'supabase/tests/edge-functions'])
