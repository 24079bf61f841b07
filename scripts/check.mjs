// `npm run check`: types, format and lint, dead code, and the acceptance list against the tests.
import { spawnSync } from 'node:child_process'
import { derive } from './derive.mjs'
import { ensureInstalled, ROOT } from './install.mjs'

ensureInstalled()
await derive()
const STEPS = [
  ...['supabase', 'server', 'web', 'e2e'].map((part) => [`types in ${part}`, 'tsc', '-p', part]),
  ['format and lint', 'biome', 'check', '.'],
  ['dead code', 'knip'],
  ['acceptance list', process.execPath, 'scripts/acceptance.mjs', '--check'],
]

let failed = 0
for (const [name, command, ...args] of STEPS) {
  const started = Date.now()
  const own = command === process.execPath
  const { status } = spawnSync(own ? command : 'npx', own ? args : ['--no-install', command, ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    shell: !own && process.platform === 'win32',
  })
  console.log(
    `${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`,
  )
  if (status !== 0) failed += 1
}
process.exit(failed === 0 ? 0 : 1)
