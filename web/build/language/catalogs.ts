// `npm run messages`: brings the catalogs in web/locales and supabase/locales up to date with the texts in the sources
// and the catalogue. With --check, it only reports what is out of date or not translated. `npm run messages -- pl` adds
// a language with a new file.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { transformAsync } from '@babel/core'
import extractor, { type ExtractedMessage } from '@lingui/babel-plugin-extract-messages'
import macro from '@lingui/babel-plugin-lingui-macro'
import type { CatalogType } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { type CompiledMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { CATALOGUE_LOCALES, catalogueMessages } from './catalogue-messages.ts'
import { LOCALES, languages } from './languages.ts'
import { linguiConfig, MARKED, parserOpts } from './lingui.ts'
import { refusalList, refusalWords, writeRefusals } from './refusals.ts'
import {
  englishFunction,
  englishWords,
  eventFunctions,
  eventPages,
  languagesModule,
  SERVER_LOCALES,
  serverMessages,
  webhooksPage,
  wordsIn,
} from './server-messages.ts'

const WEB = join(import.meta.dirname, '../..')
const ROOT = join(WEB, '..')
const SOURCES = ['src', 'landing']
const po = formatter({ origins: false })
const context = (locale: string) => ({ locale, sourceLocale: 'en', filename: '' })

export async function main(args: string[]): Promise<number> {
  const check = args.includes('--check')
  writeRefusals()
  let failed = 0
  /** Writes a file if its content has changed; with --check only reports the change. */
  const update = (file: string, content: string) => {
    if (existsSync(file) && readFileSync(file, 'utf8') === content) return
    failed += 1
    if (check) return console.log(`${relative(ROOT, file)} is out of date: npm run messages`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  const sources = [
    { folder: LOCALES, messages: await extract(), words: () => [] },
    { folder: CATALOGUE_LOCALES, messages: catalogueMessages(), words: () => [] },
    { folder: SERVER_LOCALES, messages: serverMessages(), words: wordsIn },
  ]
  for (const language of new Set([...languages(), ...args.filter((arg) => !arg.startsWith('-'))]))
    for (const { folder, messages, words } of sources) {
      const file = join(folder, `${language}.po`)
      const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
      const known = before ? await po.parse(before, context(language)) : {}
      const catalog = Object.fromEntries(
        Object.entries(messages).map(([id, message]) => [
          id,
          { ...message, translation: known[id]?.translation ?? '' },
        ]),
      )
      update(file, String(await po.serialize(catalog, { ...context(language), existing: before || null })))
      for (const { file: path, content } of words(catalog, language)) update(path, content)
      const all = Object.values(catalog)
      const missing = all.filter(({ translation }) => !translation)
      const wrong = all.filter(
        ({ message = '', translation }) => translation && namesIn(translation) !== namesIn(message),
      )
      for (const { message } of wrong) console.log(`${language}: not the parameters of “${message}”`)
      failed += missing.length + wrong.length
      console.log(`${relative(ROOT, file)}: ${missing.length} of ${all.length} messages to translate`)
    }
  const written = [
    languagesModule(languages()),
    ...englishWords(),
    englishFunction(),
    eventFunctions(),
    eventPages(),
    webhooksPage(),
    refusalWords(),
    refusalList(),
  ]
  for (const { file, content } of written) update(file, content)
  return check && failed > 0 ? 1 : 0
}

function namesIn(text: string): string {
  const names = new Set<string>()
  const look = (parts: CompiledMessage) => {
    for (const part of typeof parts === 'string' ? [] : parts) {
      if (typeof part === 'string') continue
      const [name, , forms] = part as [string, string?, object?]
      names.add(name)
      for (const form of Object.values(forms ?? {})) if (typeof form === 'object') look(form)
    }
  }
  look(compileMessageOrThrow(text))
  return [...names].sort().join()
}

/** Every message of the sources, by its id, in the order of the files. */
async function extract(): Promise<CatalogType> {
  const found: CatalogType = {}
  const add = ({ id, message = '', context: meaning, comment, placeholders = {} }: ExtractedMessage) => {
    if (id !== generateMessageId(message, meaning)) throw new Error(`Ids are made of the texts: ${id}`)
    const before = found[id]
    found[id] = {
      message,
      translation: '',
      comments: [...new Set([...(before?.comments ?? []), ...(comment ? [comment] : [])])],
      placeholders: {
        ...Object.fromEntries(Object.entries(placeholders).map(([name, value]) => [name, [value]])),
        ...before?.placeholders,
      },
      ...(meaning && { context: meaning }),
    }
  }
  for (const folder of SOURCES)
    for (const name of readdirSync(join(WEB, folder), { recursive: true, encoding: 'utf8' }).sort()) {
      const filename = join(WEB, folder, name)
      if (!/\.tsx?$/.test(name) || /\.test\./.test(name)) continue
      const code = readFileSync(filename, 'utf8')
      if (!MARKED.test(code)) continue
      await transformAsync(code, {
        filename,
        babelrc: false,
        configFile: false,
        code: false,
        parserOpts,
        plugins: [
          [macro, { linguiConfig, extract: true, stripMessageField: false }],
          [extractor, { onMessageExtracted: add }],
        ],
      })
    }
  return found
}
