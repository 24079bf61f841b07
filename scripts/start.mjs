// `npm start`: from a bare clone to a running Potluck.
import { buildChanged } from './build.mjs'
import { ensureInstalled, ROOT, step } from './install.mjs'

ensureInstalled(ROOT, { dev: false })
const server = buildChanged(['server'])
// Each in a process of its own, while the server is built and then sets up its database in this one.
const others = buildChanged(['web', 'supabase'])
// The server says so, once it has put its database in order.
others.catch(() => undefined)
await server
const { serve } = await import('../server/dist/serve.js')
const opened = step('Migrating the database')
await serve({
  onProgress: () => undefined,
  onOpen: () => {
    opened()
    return others
  },
})
