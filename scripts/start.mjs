// `npm start`: from a bare clone to a running Potluck.
import { buildChanged } from './build.mjs'
import { ensureInstalled, ROOT, say, step } from './install.mjs'

ensureInstalled(ROOT, { dev: false })
// At once, whatever else is being done: the database is made whole again by the next start.
const stop = ({ message }) => {
  say(message)
  process.exit(1)
}
const server = buildChanged(['server']).catch(stop)
// Each in a process of its own, while the server is built and then sets up its database in this one.
const others = buildChanged(['web', 'supabase']).catch(stop)
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
