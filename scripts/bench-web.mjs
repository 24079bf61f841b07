// `npm run bench:web`: what Lighthouse says of two pages of the built app.
import { join } from 'node:path'
import { buildChanged } from './build.mjs'
import { ensureInstalled, ROOT } from './install.mjs'

ensureInstalled()
ensureInstalled(join(ROOT, 'bench'))
await buildChanged()
// What bench/ imports is there only now.
const { runWebBench } = await import('../bench/web.mjs')
await runWebBench()
