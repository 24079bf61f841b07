// `npm run admin -- grant <email> super-admin`: staff roles from the machine itself. Also revoke <email>, and list.
import { join } from 'node:path'
import { ensureInstalled, ROOT } from './install.mjs'

ensureInstalled()
const { runnerImport } = await import('vite')
const { module } = await runnerImport(join(ROOT, 'supabase/admin/main.ts'), {
  root: ROOT,
  configFile: false,
  logLevel: 'error',
})
process.exit(await module.main(process.argv.slice(2), process.env))
