// How the build makes the two pages: `/` is HTML of its own, every other address is the app's.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createServer,
  type EnvironmentModuleNode,
  isRunnableDevEnvironment,
  type Plugin,
  type Rolldown,
  type ViteDevServer,
} from 'vite'
import { languages } from '../language/languages.ts'
import { messages } from '../language/plugin.ts'

const ROOT = join(import.meta.dirname, '..')
const RENDER = '/landing/render.tsx'
/** Before it: see public/start.js. */
const START = /(?=<script src="\/start\.js")/
/** Around the landing page, until there is one in each language. */
export const LANDING = /<!--landing-->[\s\S]*<!--\/landing-->/

/** Fills the places in the pages: the head of both, and the landing page with the styles it uses. */
export function pages(): Plugin {
  return {
    name: 'potluck:pages',
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { path, server }) {
        const head = readFileSync(join(import.meta.dirname, 'head.html'), 'utf8').trim()
        const landing =
          path === '/index.html'
            ? await (server
                ? render(server)
                : rendered(RENDER, (_module, own) => render(own)).then(([page]) => page))
            : {}
        return Object.entries({ head, ...landing, languages: languages().join(' ') }).reduce(
          (page, [place, content]) => page.replace(`<!--${place}-->`, () => content),
          html,
        )
      },
    },
    async closeBundle() {
      await (await drawing)?.close()
      drawing = undefined
    },
    // As the server does it: a page that is no file is the app.
    configureServer: (server) => () => {
      server.middlewares.use((request, _response, next) => {
        if (request.url === '/index.html' && !/^\/(\?|$)/.test(request.originalUrl ?? '/'))
          request.url = '/app.html'
        next()
      })
    },
  }
}

/** One for all that a build draws, as all of it is made of the same modules. */
let drawing: Promise<ViteDevServer> | undefined

/** What `use` makes of a module of ours that draws, in each of these languages: loaded by a server that is there for this alone. */
export async function rendered<Module, Result>(
  url: string,
  use: (module: Module, server: ViteDevServer, language: string) => Promise<Result>,
  inLanguages = ['en'],
): Promise<Result[]> {
  drawing ??= createServer({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, ws: false, watch: null },
    plugins: [messages()],
    optimizeDeps: { noDiscovery: true },
  })
  const server = await drawing
  const { ssr } = server.environments
  if (!isRunnableDevEnvironment(ssr)) throw new Error('Pages are drawn in this process.')
  const results: Result[] = []
  for (const language of inLanguages) {
    // Modules are made anew, as they have made their texts in the language before; what they are made of is known by then.
    ssr.runner.clearCache()
    globalThis.LANGUAGE = language
    results.push(await use(await ssr.runner.import<Module>(url), server, language))
  }
  return results
}

/** The page's markup, and its styles: the theme's variables, and the style sheets that its parts name. */
async function render(server: ViteDevServer) {
  const { renderLanding } = (await server.ssrLoadModule(RENDER)) as typeof import('./render.tsx')
  const { markup, variables } = await renderLanding()
  const { moduleGraph } = server.environments.ssr
  const sheets = [...styleSheets(await moduleGraph.getModuleByUrl(RENDER))]
  const isModule = (sheet: string) => sheet.endsWith('.module.css')
  const imports = sheets.filter((sheet) => !isModule(sheet)).map((sheet) => `@import "${sheet}";`)
  // A module's style sheet that no script reads a name from would be left out of the build.
  const modules = sheets.filter(isModule).map((sheet) => server.ssrLoadModule(`${sheet}?inline`))
  const rules = (await Promise.all(modules)).map(({ default: text }) => text)
  return {
    styles: `<style>${[...imports, variables, ...rules].join('\n')}</style>`,
    page: `<!--landing-->${markup}<!--/landing-->`,
  }
}

/** In the order they are imported, each once. */
function styleSheets(node?: EnvironmentModuleNode, seen = new Set<EnvironmentModuleNode>()): Set<string> {
  if (!node || seen.has(node)) return new Set()
  seen.add(node)
  if (node.url.endsWith('.css')) return new Set([node.url])
  return new Set([...node.importedModules].flatMap((part) => [...styleSheets(part, seen)]))
}

/** Is this module part of what the landing page loads? */
export function isOfLanding(id: string, modules: Pick<Rolldown.PluginContext, 'getModuleInfo'>): boolean {
  const found = new Set<string>()
  const collect = (module: string) => {
    if (found.has(module)) return
    found.add(module)
    modules.getModuleInfo(module)?.importedIds.forEach(collect)
  }
  collect(join(ROOT, 'index.html'))
  return found.has(id)
}

/** Puts the two Latin fonts into the head, so that text is never painted twice; in the app's page start.js does, unless the line is slow. */
export function preloadFonts(): Plugin {
  return {
    name: 'potluck:preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle, path }) => {
        const links = Object.keys(bundle ?? {})
          .filter((file) => file.endsWith('.woff2'))
          .map((file) => `<link rel="preload" href="/${file}" as="font" type="font/woff2" crossorigin>`)
          .join('')
        const fonts = path === '/index.html' ? links : `<template data-fonts>${links}</template>`
        return html.replace(START, () => fonts)
      },
    },
  }
}
