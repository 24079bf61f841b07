// How the build makes the pages of the app: with what each is about to show already in it, so that nobody looks at an empty
// one while its scripts come.
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { firstBuild } from '../files/first-build.ts'
import { LANDING } from '../landing/plugin.ts'
import { ENGLISH, languages } from '../language/languages.ts'

const RIGHT_TO_LEFT = /^(ar|fa|he|ur)\b/
const ROUTES = join(import.meta.dirname, '../src/routes/_shell')
/** What the app's page shows while it loads. */
/** The pages of which the database says what they are about. */
const HEADED = /^(app|plans|plans\/\[id\]|p\/\[id\])\.html$/
const LATE = /(?=<p id="late">)/
const TITLE = /<title>[^<]*<\/title>/
/** Of the page, as the app names it. */
const HEADING = /<h1[^>]*>([^<]+)</
const SCRIPTS = /<script type="module"[^>]*><\/script>/g
const PRELOADED = /<link rel="modulepreload"[^>]*>/g
// Names of files: see files/plugin.ts.
const MEMBERS = 'members'
const ASKING = 'asking'
const CONNECTED = 'connected'
/** As the app asks for it. */
const CONFIG = '<link rel="preload" as="fetch" crossorigin href="/config.json">'

export function firstSightPlugin(): Plugin {
  return {
    name: 'potluck:first-sights',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const app = bundle['app.html']
        if (app?.type !== 'asset') throw new Error('The app has no page.')
        const page = String(app.source)
        const start = [...page.matchAll(PRELOADED), ...page.matchAll(SCRIPTS)].join('')
        if (!start) throw new Error('The page of the app has no script.')
        const bare = page.replace(PRELOADED, '').replace(SCRIPTS, '')
        const link = (rel: string, files: string[]) =>
          [...new Set(files)]
            .filter((file) => !page.includes(file))
            .map((file) => `<link rel="${rel}" crossorigin href="/${file}">`)
            .join('')
        const [forMembers = [], asking = [], connected = []] = [MEMBERS, ASKING, CONNECTED].map((file) =>
          partsOf(bundle, ({ name }) => name === file),
        )
        const index = bundle['index.html']
        if (index?.type !== 'asset') throw new Error('The visitors have no page.')
        const visitors = String(index.source)
        const { drawn } = await firstBuild()
        for (const { language, styles, pages, landing, words, sentences } of await drawn) {
          const folder = language === ENGLISH ? '' : `${language}/`
          const catalog = language === ENGLISH ? [] : partsOf(bundle, isCatalog(language))
          const speaks = link(
            'modulepreload',
            catalog.map(({ fileName }) => fileName),
          )
          const emit = (fileName: string, source: string, alternates = '') => {
            const made = inLanguage(source, language, words).replace('</head>', () => `${alternates}</head>`)
            const asset = bundle[fileName]
            if (asset?.type === 'asset') asset.source = made
            else this.emitFile({ type: 'asset', fileName, source: made })
          }
          emit(
            language === ENGLISH ? 'index.html' : `${language}.html`,
            visitors
              .replace('</head>', () => `${speaks}</head>`)
              .replace(LANDING, () => withFiles(landing.markup, bundle)),
            alternatesOf('/'),
          )
          for (const { fileName, markup, route, isPublic } of pages) {
            const named = fileName !== 'app.html' && HEADING.exec(markup)?.[1]
            const own = route ? partsOf(bundle, isMadeFrom(join(ROUTES, `${route}.tsx`))) : []
            const scripts = (parts: Rolldown.OutputChunk[], before: Rolldown.OutputChunk[] = []) =>
              link(
                'modulepreload',
                parts.filter((part) => !before.includes(part)).map((part) => part.fileName),
              )
            const first = [...asking, ...connected]
            const parts = Object.entries({
              app: start + speaks + CONFIG,
              'app-of-members': scripts(first),
              'app-of-visitors': markup.includes('<form ') ? scripts(connected) : '',
              // What the server makes the page's head of.
              ...(language !== ENGLISH && HEADED.test(fileName) && { sentences: JSON.stringify(sentences) }),
              rest: scripts(own),
              'rest-of-members': scripts(forMembers, [...own, ...first]),
            })
            const sheets = [...own, ...forMembers].flatMap(({ viteMetadata }) => [
              ...(viteMetadata?.importedCss ?? []),
            ])
            const source = bare
              .replace(
                '</head>',
                () =>
                  link('stylesheet', sheets) +
                  styles +
                  parts.map(([name, content]) => `<template data-${name}>${content}</template>`).join('') +
                  '</head>',
              )
              .replace(LATE, () => markup)
            emit(
              folder + fileName,
              named ? source.replace(TITLE, () => `<title>${named} · Potluck</title>`) : source,
              isPublic && !fileName.startsWith('p/') ? alternatesOf(`/${fileName.replace('.html', '')}`) : '',
            )
          }
        }
      },
    },
  }
}

const isCatalog = (language: string) => (chunk: Rolldown.OutputChunk) =>
  chunk.facadeModuleId?.endsWith(`/locales/${language}.po`) ?? false

/** Markup with the names that files have in the build, which does so by itself in the page it is given. */
const withFiles = (markup: string, bundle: Rolldown.OutputBundle) =>
  markup.replace(/\/(src\/[^"#?]+\.(?:svg|png|webp))/g, (_address, source: string) => {
    const file = Object.values(bundle).find(
      (part) => part.type === 'asset' && part.originalFileNames.includes(source),
    )
    if (!file) throw new Error(`${source} is not in the build.`)
    return `/${file.fileName}`
  })

/** The same page in all languages, for search engines; in one language there is nothing to say. */
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

/** A page whose file is English, with its own words and what it says of itself in this language. */
function inLanguage(page: string, language: string, words: Record<string, string>): string {
  if (language === ENGLISH) return page
  return Object.entries(words)
    .sort(([one], [other]) => other.length - one.length)
    .reduce((text, [english, translated]) => text.replaceAll(english, translated), page)
    .replace('<html lang="en"', `<html lang="${language}"${RIGHT_TO_LEFT.test(language) ? ' dir="rtl"' : ''}`)
}

/** These scripts of the build, and all that is loaded before they run. */
function partsOf(
  bundle: Rolldown.OutputBundle,
  wanted: (chunk: Rolldown.OutputChunk) => boolean,
): Rolldown.OutputChunk[] {
  const chunks = Object.values(bundle).filter((part) => part.type === 'chunk')
  const found = new Set<Rolldown.OutputChunk>()
  const collect = (chunk?: Rolldown.OutputChunk) => {
    if (!chunk || found.has(chunk)) return
    found.add(chunk)
    for (const name of chunk.imports) collect(chunks.find(({ fileName }) => fileName === name))
  }
  chunks.filter(wanted).forEach(collect)
  if (found.size === 0) throw new Error('A script that pages name is not in the build.')
  return [...found]
}

const isMadeFrom = (route: string) => (chunk: Rolldown.OutputChunk) =>
  chunk.moduleIds.some((id) => id.startsWith(`${route}?`))
