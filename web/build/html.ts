// How the build makes the two pages: `/` is HTML of its own, every other address is the app's.
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Plugin, preprocessCSS, type ResolvedConfig, type ViteDevServer } from 'vite'
import type { renderLanding } from './draw-landing.tsx'
import { endFirstBuild, firstBuild, styleSheets } from './first-build.ts'
import { languages } from './language/languages.ts'

const DRAW = join(import.meta.dirname, 'draw-landing.tsx')
/** Before it: see public/start.js. */
const START = /(?=<script src="\/start\.js")/
/** Around the landing page, until there is one in each language. */
export const LANDING = /<!--landing-->[\s\S]*<!--\/landing-->/

/** Fills the places in the pages: the head of both, and the landing page with the styles it uses. */
export function pages(): Plugin {
  let config: ResolvedConfig
  return {
    name: 'potluck:pages',
    configResolved: (resolved) => {
      config = resolved
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { path, server }) {
        const head = readFileSync(join(import.meta.dirname, 'head.html'), 'utf8').trim()
        const landing =
          path === '/index.html'
            ? await filled(server ? await drawnBy(server) : await drawnFirst(), config)
            : {}
        return Object.entries({ head, ...landing, languages: languages().join(' ') }).reduce(
          (page, [place, content]) => fillIn(page, `<!--${place}-->`, content),
          html,
        )
      },
    },
    closeBundle: endFirstBuild,
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

/** The text with this in its first such place; the build fails if there is none. */
export function fillIn(text: string, place: string | RegExp, content: string): string {
  let isThere = false
  const filled = text.replace(place, () => {
    isThere = true
    return content
  })
  if (!isThere) throw new Error(`A page has no ${place}`)
  return filled
}

interface Landing extends Awaited<ReturnType<typeof renderLanding>> {
  sheets: string[]
}

async function drawnFirst(): Promise<Landing> {
  const { english, sheets } = await firstBuild()
  const { landing } = await english
  return { ...landing, sheets }
}

async function drawnBy(server: ViteDevServer): Promise<Landing> {
  const { renderLanding: render } = (await server.ssrLoadModule(DRAW)) as typeof import('./draw-landing.tsx')
  const { moduleGraph } = server.environments.ssr
  const importsOf = (id: string) =>
    [...(moduleGraph.getModuleById(id)?.importedModules ?? [])].map((part) => part.id ?? part.url)
  return { ...(await render()), sheets: styleSheets(DRAW, importsOf) }
}

/** The page's markup, and its styles: the theme's variables, and the style sheets that its parts name. */
async function filled({ markup, variables, sheets }: Landing, config: ResolvedConfig) {
  const isModule = (sheet: string) => sheet.endsWith('.module.css')
  const imports = sheets.filter((sheet) => !isModule(sheet)).map((sheet) => `@import "/@fs${sheet}";`)
  // A module's style sheet that no script reads a name from would be left out of the build.
  const rules = sheets.filter(isModule).map(async (sheet) => {
    const { code } = await preprocessCSS(await readFile(sheet, 'utf8'), sheet, config)
    return code
  })
  return {
    styles: `<style>${[...imports, variables, ...(await Promise.all(rules))].join('\n')}</style>`,
    page: `<!--landing-->${markup}<!--/landing-->`,
  }
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
        if (bundle && !links) throw new Error('The build has no fonts')
        const fonts = path === '/index.html' ? links : `<template data-fonts>${links}</template>`
        return fillIn(html, START, fonts)
      },
    },
  }
}
