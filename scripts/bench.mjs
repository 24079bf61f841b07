// `npm run bench` compares the server with @supabase/lite and the bare drivers (`-- --quick` while developing),
// `npm run bench:web` runs Lighthouse on four pages, `npm run bench:sign-in` measures how sign-ins slow everybody else,
// `npm run bench:clock` whether scheduled jobs run on time, `npm run bench:renewals` how long 100,000 renewals take,
// `npm run bench:scale` whether a request costs the same among 1,000 and among 100,000 plans,
// `npm run bench:mix` a realistic mix of requests, `npm run bench:realtime` 2,000 listening people,
// `npm run bench:vault` how long it takes to open a vault entry, `npm run bench:webhooks` what webhooks cost everybody else,
// `npm run bench:snapshot` how many pages of the marketplace visitors read in a second, and how old they are.
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
