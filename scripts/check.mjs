// `npm run check`: checks types, format and lint, dead code, the order of imports, messages, and the acceptance list.
import { derive } from './derive.mjs'
import { ensureInstalled, run } from './install.mjs'

ensureInstalled()
await derive()
const STEPS = [
  ...['supabase', 'server', 'web', 'e2e'].map((part) => [`types in ${part}`, 'tsc', '-p', part]),
  ['format and lint', 'biome', 'check', '.'],
  ['dead code', 'knip'],
  ['order of imports', 'scripts/imports.mjs'],
  ['messages', 'scripts/run.mjs', 'web/build/language/catalogs.ts', '--check'],
  ['acceptance list', 'scripts/acceptance.mjs', '--check'],
]

let failed = 0
for (const [name, ...args] of STEPS) {
  const started = Date.now()
  const isOk = args[0].endsWith('.mjs') ? run(process.execPath, args) : run('npx', ['--no-install', ...args])
  console.log(`${isOk ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
  if (!isOk) failed += 1
}
process.exit(failed === 0 ? 0 : 1)
