// How the build makes the service worker: its source, behind the names of all files that the app is made of.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const SOURCE = join(import.meta.dirname, 'worker.js')

export function serviceWorker(): Plugin {
  return {
    name: 'potluck:service-worker',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const source = readFileSync(SOURCE, 'utf8')
        const files = Object.keys(bundle)
          .filter((file) => file.startsWith('assets/'))
          .map((file) => `/${file}`)
        const build = createHash('sha256')
          .update(files.join() + source)
          .digest('base64url')
          .slice(0, 16)
        const made = `const FILES = ${JSON.stringify(files)}\nconst BUILD = '${build}'\n${source}`
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: made })
      },
    },
  }
}
