// `npm run deno`: type-checks the Edge Functions in Deno, as on hosted Supabase, and runs their tests there.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, ROOT } from './install.mjs'

ensureInstalled()
ensureInstalled(join(ROOT, 'deno'))
const DENO = join(ROOT, 'deno/node_modules/.bin/deno')
const FUNCTIONS = join(ROOT, 'supabase/functions')

const run = (command, args) => {
  const { status } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, DENO },
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}
for (const { name } of readdirSync(FUNCTIONS, { withFileTypes: true }).filter(
  (entry) => entry.isDirectory() && /^[A-Za-z]/.test(entry.name),
)) {
  const folder = join(FUNCTIONS, name)
  run(DENO, ['check', '--config', join(folder, 'deno.json'), '--frozen', join(folder, 'index.ts')])
}
run('npx', ['--no-install', 'vitest', 'run', '--project', 'database', 'supabase/tests/edge-functions'])
