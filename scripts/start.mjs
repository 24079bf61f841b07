// `npm start`: starts Potluck from a fresh clone.
import { buildChanged } from './build.mjs'
import { ensureInstalled, ROOT, say, step } from './install.mjs'

ensureInstalled(ROOT, { dev: false })
// Exits at once, even while the database is migrated: the next start recovers it.
const stop = ({ message }) => {
  say(message)
  process.exit(1)
}
const server = buildChanged(['server']).catch(stop)
// These are built in processes of their own, while this one builds the server and then migrates its database.
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
