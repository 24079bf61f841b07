// How the build makes the pages that strangers are led to: the app's page, with what it is about to show already in it.
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { rendered } from '../landing/plugin.ts'

const RENDER = '/first-sight/render.tsx'
const ROUTES = join(import.meta.dirname, '../src/routes/_shell')
/** By the path of the page's file: the address it is drawn for, and the route that shows it. `[id]` is any name. */
const PAGES = {
  'plans.html': { address: '/plans', route: join(ROUTES, 'plans.index.tsx') },
  'plans/[id].html': { address: '/plans/any', route: join(ROUTES, 'plans.$planId.tsx') },
  // Most short links lead on to such a page.
  'p/[id].html': { address: '/plans/any', route: join(ROUTES, 'plans.$planId.tsx') },
}
/** What the app's page shows while it loads. */
const LATE = /(?=<p id="late">)/
const OWN_SCRIPT = /<script type="module"[^>]*><\/script>/
const PRELOADED = /<link rel="modulepreload"[^>]*>/g

export function firstSights(): Plugin {
  return {
    name: 'potluck:first-sights',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const app = bundle['app.html']
        if (app?.type !== 'asset') throw new Error('The app has no page.')
        const markup = await rendered(RENDER, ({ renderFirstSight }: typeof import('./render.tsx')) =>
          Promise.all(Object.values(PAGES).map(({ address }) => renderFirstSight(address))),
        )
        Object.entries(PAGES).forEach(([fileName, { route }], index) => {
          const page = String(app.source)
          const { sheets, scripts } = linksTo(partsOf(route, bundle), page)
          const [own] = OWN_SCRIPT.exec(page) ?? []
          if (!own) throw new Error('The page of the app has no script.')
          const source = page
            .replace(own, () => `<script src="/after-first-sight.js" defer></script>`)
            .replace(PRELOADED, '')
            .replace('</head>', () => `${sheets}<template data-app>${scripts}${own}</template></head>`)
            .replace(LATE, () => `<div data-first-sight inert>${markup[index]}</div>`)
          this.emitFile({ type: 'asset', fileName, source })
        })
      },
    },
  }
}

/** The script of a route and all that is loaded before it runs. */
function partsOf(route: string, bundle: Rolldown.OutputBundle): Set<Rolldown.OutputChunk> {
  const chunks = Object.values(bundle).filter((part) => part.type === 'chunk')
  const found = new Set<Rolldown.OutputChunk>()
  const collect = (chunk?: Rolldown.OutputChunk) => {
    if (!chunk || found.has(chunk)) return
    found.add(chunk)
    for (const name of chunk.imports) collect(chunks.find(({ fileName }) => fileName === name))
  }
  const [own] = chunks.filter(({ facadeModuleId }) => facadeModuleId?.startsWith(`${route}?`))
  if (!own) throw new Error(`No script of the build is made from ${route}.`)
  collect(own)
  return found
}

/** What a page has to load for these, beside what it names itself: style sheets hold the first sight back, scripts wait for it. */
function linksTo(parts: Set<Rolldown.OutputChunk>, page: string): { sheets: string; scripts: string } {
  const sheets = [...parts].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
  const scripts = [...parts].map(({ fileName }) => fileName)
  const own = [...page.matchAll(PRELOADED)].join('')
  const link = (rel: string, files: string[]) =>
    files
      .filter((file) => !page.includes(file))
      .map((file) => `<link rel="${rel}" crossorigin href="/${file}">`)
      .join('')
  return { sheets: link('stylesheet', sheets), scripts: own + link('modulepreload', scripts) }
}
