// `npm run dev`: serves the web app with hot reload at the URL that Vite prints, and rebuilds and restarts the server
// when its code changes.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, ROOT } from './install.mjs'

ensureInstalled()
const { build, createServer } = await import('vite')

let server
const restart = () => {
  const next = () => {
    server = spawn(process.execPath, [join(ROOT, 'server/dist/main.js')], { stdio: 'inherit' })
  }
  if (!server || server.exitCode !== null) return next()
  server.once('exit', next)
  server.kill('SIGTERM')
}

const watcher = await build({ root: join(ROOT, 'server'), logLevel: 'warn', build: { watch: {} } })
watcher.on('event', (event) => {
  if (event.code === 'BUNDLE_END') restart()
  if (event.code === 'ERROR') console.error(event.error.message)
})
const web = await createServer({ root: join(ROOT, 'web') })
await web.listen()
web.printUrls()
