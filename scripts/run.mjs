// Runs one TypeScript file of the workspace: node scripts/run.mjs path/to/file.ts
import { resolve } from 'node:path'
import { ensureInstalled, ROOT } from './install.mjs'

ensureInstalled()
const { runnerImport } = await import('vite')
await runnerImport(resolve(ROOT, process.argv[2]), { root: ROOT, configFile: false, logLevel: 'error' })
