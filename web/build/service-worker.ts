// Writes the service worker: worker.js, preceded by constants with the names of all files of the app.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { LOCALES, languages } from './language/languages.ts'
import { PARTS } from './language/parts.ts'
import { firstSights } from './pages.ts'

const SOURCE = join(import.meta.dirname, 'worker.js')

export function serviceWorker(): Plugin {
  return {
    name: 'potluck:service-worker',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const source = readFileSync(SOURCE, 'utf8')
        const isCatalog = (file: string) => {
          const part = bundle[file]
          return part?.type === 'chunk' && /\.po(?:\?|$)/.test(part.facadeModuleId ?? '')
        }
        const assets = Object.keys(bundle).filter((file) => file.startsWith('assets/'))
        const [files = [], catalogs = []] = [
          assets.filter((file) => !isCatalog(file)),
          assets.filter(isCatalog),
        ].map((names) => names.map((file) => `/${file}`))
        const sources = readdirSync(LOCALES, { recursive: true, encoding: 'utf8' })
        const wanted =
          sources.filter((file) => file.endsWith('.po')).length + languages().length * (PARTS.length - 1)
        if (files.length === 0 || catalogs.length !== wanted)
          throw new Error('The service worker does not find the files of the app, or not every catalog')
        const build = createHash('sha256')
          .update(assets.join() + source)
          .digest('base64url')
          .slice(0, 16)
        const pages = Object.entries(firstSights).flatMap(([file, sight]) =>
          sight?.readers.join() === 'member' ? [`/${file.replace('.html', '')}`] : [],
        )
        const given = { FILES: files, CATALOGS: catalogs, LANGUAGES: languages(), PAGES: pages, BUILD: build }
        const made = Object.entries(given).reduceRight(
          (code, [name, value]) => `const ${name} = ${JSON.stringify(value)}\n${code}`,
          source,
        )
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: made })
      },
    },
  }
}
