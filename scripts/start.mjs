// `npm start`: from a bare clone to a running Potluck.
import { buildChanged } from './build.mjs'
import { ensureInstalled } from './install.mjs'

ensureInstalled()
await buildChanged()
await import('../server/dist/main.js')
