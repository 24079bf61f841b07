// `npm run bench -- <part>`: runs a benchmark. bench/README.md lists the parts.
import { join } from 'node:path'
import { buildChanged } from './build.mjs'
import { ensureInstalled, fail, ROOT } from './install.mjs'

const PARTS = [
  'run',
  'web',
  'mix',
  'realtime',
  'restart',
  'ledger',
  'renewals',
  'clock',
  'functions',
  'scale',
  'soak',
]
const [part = 'run', ...args] = process.argv.slice(2)
if (!PARTS.includes(part)) fail(`npm run bench -- ${PARTS.join(' | ')}`)
ensureInstalled()
ensureInstalled(join(ROOT, 'bench'))
await buildChanged()
// Imported only here, because the benchmarks' own dependencies are installed by now.
const { measure } = await import(`../bench/${part}.mjs`)
await measure(args)
