// `npm run bench` compares the server with @supabase/lite and the bare drivers (`-- --quick` while developing); what each of the
// `npm run bench:…` measures is in bench/README.md.
import { join } from 'node:path'
import { buildChanged } from './build.mjs'
import { ensureInstalled, ROOT } from './install.mjs'

const [part, ...args] = process.argv.slice(2)
ensureInstalled()
ensureInstalled(join(ROOT, 'bench'))
await buildChanged()
// Dependencies of bench/ are installed only now.
const { measure } = await import(`../bench/${part}.mjs`)
await measure(args)
