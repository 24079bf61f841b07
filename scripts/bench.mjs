// `npm run bench`: measures the server beside @supabase/lite and the bare drivers. `-- --quick` while developing.
import { join } from 'node:path'
import { buildChanged } from './build.mjs'
import { ensureInstalled, ROOT } from './install.mjs'

ensureInstalled()
ensureInstalled(join(ROOT, 'bench'))
await buildChanged()
// What bench/ imports is there only now.
const { runBench } = await import('../bench/run.mjs')
await runBench(process.argv.slice(2))
