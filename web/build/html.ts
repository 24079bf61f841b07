// Makes the two HTML files: index.html is the landing page at `/`; app.html is the app at every other path.
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Plugin, preprocessCSS, type ResolvedConfig, type ViteDevServer } from 'vite'
import type { renderLanding } from './draw-landing.tsx'
import { endFirstBuild, firstBuild, styleSheets } from './first-build.ts'
import { languages } from './language/languages.ts'

const DRAW = join(import.meta.dirname, 'draw-landing.tsx')
/** The place just before the script public/start.js. */
const START = /(?=<script src="\/start\.js")/
/** The English landing page in index.html, which first-sights.ts replaces with the one in each language. */
export const LANDING = /<!--landing-->[\s\S]*<!--\/landing-->/

/** Fills in the placeholders of both HTML files: the head and, in index.html, the landing page with its styles. */
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
    // For a path without a file, Vite serves /index.html. This serves app.html instead, as our server does.
    configureServer: (server) => () => {
      server.middlewares.use((request, _response, next) => {
        if (request.url === '/index.html' && !/^\/(\?|$)/.test(request.originalUrl ?? '/'))
          request.url = '/app.html'
        next()
      })
    },
  }
}

/** Replaces the first `place` in a text with `content`; throws if there is none. */
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

/** The landing page's markup, and its styles: the theme's variables and its components' style sheets. */
async function filled({ markup, variables, sheets }: Landing, config: ResolvedConfig) {
  const isModule = (sheet: string) => sheet.endsWith('.module.css')
  const imports = sheets.filter((sheet) => !isModule(sheet)).map((sheet) => `@import "/@fs${sheet}";`)
  // CSS modules are compiled here, because the build would leave out those whose class names no script uses.
  const rules = sheets.filter(isModule).map(async (sheet) => {
    const { code } = await preprocessCSS(await readFile(sheet, 'utf8'), sheet, config)
    return code
  })
  return {
    styles: `<style>${[...imports, variables, ...(await Promise.all(rules))].join('\n')}</style>`,
    page: `<!--landing-->${markup}<!--/landing-->`,
  }
}

/**
 * Preloads the two Latin fonts in the head, so that text is never painted twice. In app.html, start.js adds the links,
 * unless the connection is slow.
 */
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
