// `npm run bench` measures the server beside @supabase/lite and the bare drivers (`-- --quick` while developing),
// `npm run bench:web` what Lighthouse says of four pages, `npm run bench:sign-in` what sign-ins cost everybody else,
// `npm run bench:clock` whether scheduled jobs keep time, `npm run bench:renewals` how long 100,000 renewals take,
// `npm run bench:scale` whether a request costs the same among 1,000 and among 100,000 plans,
// `npm run bench:mix` what a town of people asks for, `npm run bench:realtime` 2,000 people who listen,
// `npm run bench:vault` how long it takes to open what lets people into a plan.
import { join } from 'node:path'
import { buildChanged } from './build.mjs'
import { ensureInstalled, ROOT } from './install.mjs'

const [part, ...args] = process.argv.slice(2)
ensureInstalled()
ensureInstalled(join(ROOT, 'bench'))
await buildChanged()
// What bench/ imports is there only now.
const { measure } = await import(`../bench/${part}.mjs`)
await measure(args)
