// Writes the app's pages with their prerendered markup, so that nobody sees an empty page while the scripts load.
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { firstBuild } from './first-build.ts'
import { fillIn, LANDING } from './html.ts'
import { ENGLISH, languages } from './language/languages.ts'
import { reach } from './reach.ts'

const RIGHT_TO_LEFT = /^(ar|fa|he|ur)\b/
const ROUTES = join(import.meta.dirname, '../src/routes/_shell')
/** Pages whose head the server fills with sentences from the database (page_head()). */
const HEADED = /^(app|plans|(?:plans|p|people)\/\[id\])\.html$/
const LATE = /(?=<p id="late">)/
const TITLE = /<title>[^<]*<\/title>/
/** The page's h1, whose text also becomes the title. */
const HEADING = /<h1[^>]*>([^<]+)</
const SCRIPTS = /<script type="module"[^>]*><\/script>/g
const PRELOADED = /<link rel="modulepreload"[^>]*>/g
// Names of files that chunks.ts makes.
const MEMBERS = 'members'
const ASKING = 'asking'
const CONNECTED = 'connected'
/** Preloads the configuration. The attributes must match the app's own request. */
const CONFIG = '<link rel="preload" as="fetch" crossorigin href="/config.json">'

export function firstSightPlugin(): Plugin {
  return {
    name: 'potluck:first-sights',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const [page, visitors] = [htmlOf(bundle, 'app.html'), htmlOf(bundle, 'index.html')]
        const start = [...page.matchAll(PRELOADED), ...page.matchAll(SCRIPTS)].join('')
        if (!start) throw new Error('The page of the app has no script')
        const bare = page.replace(PRELOADED, '').replace(SCRIPTS, '')
        const link = (rel: string, files: Iterable<string>) =>
          [...new Set(files)]
            .filter((file) => !page.includes(file))
            .map((file) => `<link rel="${rel}" crossorigin href="/${file}">`)
            .join('')
        const scripts = (parts: Rolldown.OutputChunk[], before: Rolldown.OutputChunk[] = []) =>
          link(
            'modulepreload',
            parts.filter((part) => !before.includes(part)).map(({ fileName }) => fileName),
          )
        const [forMembers = [], asking = [], connected = []] = [MEMBERS, ASKING, CONNECTED].map((file) =>
          partsOf(bundle, file, ({ name }) => name === file),
        )
        const { drawn, pageFunction } = await firstBuild()
        const source = withFiles(await pageFunction, bundle)
        this.emitFile({ type: 'asset', fileName: '_server/draw.js', source })
        for (const { language, styles, pages, landing, words, sentences } of await drawn) {
          const isEnglish = language === ENGLISH
          const folder = isEnglish ? '' : `${language}/`
          const catalog = `/locales/${language}.po`
          const textsOf = (file: string) =>
            isEnglish ? [] : partsOf(bundle, file, ({ facadeModuleId }) => !!facadeModuleId?.endsWith(file))
          const speaks = scripts(textsOf(catalog))
          for (const text of Object.keys(words))
            if (!visitors.includes(text) && !page.includes(text)) throw new Error(`No page says “${text}”`)
          const emit = (fileName: string, source: string) => {
            const asset = bundle[fileName]
            if (asset?.type === 'asset') asset.source = source
            else this.emitFile({ type: 'asset', fileName, source })
          }
          const translated = (source: string) => inLanguage(source, language, words)
          emit(
            isEnglish ? 'index.html' : `${language}.html`,
            fillIn(
              fillIn(translated(visitors), '</head>', `${speaks}${alternatesOf('/')}</head>`),
              LANDING,
              withFiles(landing.markup, bundle),
            ),
          )
          const ownBare = translated(bare)
          for (const { fileName, markup, route, isPublic } of pages) {
            const named = fileName !== 'app.html' && HEADING.exec(markup)?.[1]
            const file = `${join(ROUTES, `${route}.tsx`)}?`
            const own = route
              ? partsOf(bundle, file, ({ moduleIds }) => moduleIds.some((id) => id.startsWith(file)))
              : []
            const first = [...asking, ...connected]
            const parts = Object.entries({
              app: start + speaks + CONFIG,
              'app-of-members': scripts([...textsOf(`${catalog}?part=members`), ...first]),
              'app-of-visitors':
                scripts(textsOf(`${catalog}?part=visitors`)) +
                (markup.includes('<form ') ? scripts(connected) : ''),
              // How this language says the sentences with which the server fills the page's head.
              ...(HEADED.test(fileName) && { sentences: JSON.stringify(sentences) }),
              rest: scripts(own),
              'rest-of-members': scripts(forMembers, [...own, ...first]),
            }).map(([name, content]) => `<template data-${name}>${content}</template>`)
            const sheets = [...own, ...forMembers].flatMap(({ viteMetadata }) => [
              ...(viteMetadata?.importedCss ?? []),
            ])
            const alternates =
              isPublic && !fileName.startsWith('p/') ? alternatesOf(`/${fileName.replace('.html', '')}`) : ''
            const head = [link('stylesheet', sheets), styles, ...parts, alternates, '</head>'].join('')
            const titled = named ? fillIn(ownBare, TITLE, `<title>${named} · Potluck</title>`) : ownBare
            emit(folder + fileName, fillIn(fillIn(titled, LATE, markup), '</head>', head))
          }
        }
      },
    },
  }
}

function htmlOf(bundle: Rolldown.OutputBundle, fileName: string): string {
  const file = bundle[fileName]
  if (file?.type !== 'asset') throw new Error(`${fileName} is not in the build`)
  return String(file.source)
}

/**
 * Replaces the source paths of pictures in prerendered markup or scripts with the names of their built files. Vite itself does so
 * only in its input pages.
 */
const withFiles = (markup: string, bundle: Rolldown.OutputBundle) =>
  markup.replace(/\/(src\/[^"'`#?]+\.(?:svg|png|webp))/g, (_address, source: string) => {
    const file = Object.values(bundle).find(
      (part) => part.type === 'asset' && part.originalFileNames.includes(source),
    )
    if (!file) throw new Error(`${source} is not in the build.`)
    return `/${file.fileName}`
  })

/** Links to a page in every language, for search engines; empty if English is the only language. */
const alternatesOf = (path: string) =>
  languages().length === 0
    ? ''
    : [ENGLISH, ...languages(), 'x-default']
        .map((language) => {
          const prefix = language === ENGLISH || language === 'x-default' ? '' : `/${language}`
          const address = (prefix + path).replace(/(?<=.)\/$/, '')
          return `<link rel="alternate" hreflang="${language}" href="{{SITE_URL}}${address}">`
        })
        .join('')

/** Translates an English page: replaces the texts in `words`, and sets the page's language and direction. */
function inLanguage(page: string, language: string, words: Record<string, string>): string {
  if (language === ENGLISH) return page
  const translated = Object.entries(words)
    .sort(([one], [other]) => other.length - one.length)
    .reduce((text, [english, said]) => text.replaceAll(english, said), page)
  const direction = RIGHT_TO_LEFT.test(language) ? ' dir="rtl"' : ''
  return fillIn(translated, '<html lang="en"', `<html lang="${language}"${direction}`)
}

/** The wanted scripts of the build, and all scripts they import. Throws an error with `name` if no script is wanted. */
function partsOf(
  bundle: Rolldown.OutputBundle,
  name: string,
  wanted: (chunk: Rolldown.OutputChunk) => boolean,
): Rolldown.OutputChunk[] {
  const chunks = Object.values(bundle).filter((part) => part.type === 'chunk')
  const found = chunks.filter(wanted)
  if (found.length === 0) throw new Error(`A script that pages load is not in the build: ${name}`)
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  return [...reach(found, ({ imports }) => imports.flatMap((file) => byName.get(file) ?? []))]
}
