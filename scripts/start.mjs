// `npm start`: starts Potluck from a fresh clone.
import { buildChanged } from './build.mjs'
import { ensureInstalled, ROOT, say, step } from './install.mjs'

ensureInstalled(ROOT, { dev: false })
// Exits immediately, even while the database is being migrated, because the next start recovers the database.
const stop = ({ message }) => {
  say(message)
  process.exit(1)
}
const server = buildChanged(['server']).catch(stop)
// These parts are built in separate processes, while this process waits for the server's build and migrates the
// database.
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
