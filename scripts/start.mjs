// `npm start`: from a bare clone to a running Potluck.
import { buildChanged } from './build.mjs'
import { ensureInstalled, ROOT, step } from './install.mjs'

ensureInstalled(ROOT, { dev: false })
await buildChanged(['server'])
const { serve } = await import('../server/dist/serve.js')
// Each in a process of its own, while the server sets up its database in this one.
const others = buildChanged(['web', 'supabase'])
// The server says so, once it has put its database in order.
others.catch(() => undefined)
const opened = step('Migrating the database')
await serve({
  onProgress: () => undefined,
  onOpen: () => {
    opened()
    return others
  },
})
