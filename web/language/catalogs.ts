// `npm run messages`: brings the catalogs in web/locales up to date with the texts in the sources. With --check it only
// lists what is out of date or not translated. `npm run messages -- pl` adds a language.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { transformAsync } from '@babel/core'
import extractor, { type ExtractedMessage } from '@lingui/babel-plugin-extract-messages'
import macro from '@lingui/babel-plugin-lingui-macro'
import type { CatalogType } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { type CompiledMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { LOCALES, languages } from './languages.ts'
import { linguiConfig, MARKED, parserOpts } from './lingui.ts'
import { writeRefusals } from './refusals.ts'
import { englishFunction, languagesModule, serverMessages, wordsIn } from './server-messages.ts'

const WEB = join(import.meta.dirname, '..')
const SOURCES = ['src', 'landing']
const po = formatter({ lineNumbers: false })
const context = (locale: string) => ({ locale, sourceLocale: 'en', filename: '' })

export async function main(args: string[]): Promise<number> {
  const check = args.includes('--check')
  writeRefusals()
  let failed = 0
  const messages = await extract()
  for (const language of [...new Set([...languages(), ...args.filter((arg) => !arg.startsWith('-'))])]) {
    const file = join(LOCALES, `${language}.po`)
    const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const known = before ? await po.parse(before, context(language)) : {}
    const catalog = Object.fromEntries(
      Object.entries(messages).map(([id, message]) => [
        id,
        { ...message, translation: known[id]?.translation ?? '' },
      ]),
    )
    const after = String(await po.serialize(catalog, { ...context(language), existing: before || null }))
    const missing = Object.values(catalog).filter(({ translation }) => !translation)
    const words = wordsIn(catalog, language)
    const stale =
      after !== before ||
      words.some((one) => !existsSync(one.file) || readFileSync(one.file, 'utf8') !== one.content)
    if (stale && !check)
      for (const { file: path, content } of [{ file, content: after }, ...words]) {
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, content)
      }
    const wrong = Object.values(catalog).filter(
      ({ message = '', translation }) => translation && namesIn(translation) !== namesIn(message),
    )
    for (const { message } of wrong) console.log(`${language}: not the parameters of “${message}”`)
    if (missing.length > 0 || wrong.length > 0 || (stale && check)) failed += 1
    console.log(
      `${language}: ${missing.length} of ${Object.keys(catalog).length} messages to translate` +
        (stale && check ? ', and the file is out of date: npm run messages' : ''),
    )
  }
  for (const { file, content } of [languagesModule(languages()), englishFunction()]) {
    if (existsSync(file) && readFileSync(file, 'utf8') === content) continue
    if (check) failed += 1
    else writeFileSync(file, content)
  }
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
  const add = ({
    id,
    message = '',
    context: meaning,
    comment,
    origin,
    placeholders = {},
  }: ExtractedMessage) => {
    if (id !== generateMessageId(message, meaning)) throw new Error(`Ids are made of the texts: ${id}`)
    const before = found[id]
    const files = [
      ...(before?.origin ?? []).map(([file]) => file),
      ...(origin ? [relative(WEB, origin[0])] : []),
    ]
    found[id] = {
      message,
      translation: '',
      origin: [...new Set(files)].map((file) => [file]),
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
  for (const { message, source } of serverMessages())
    add({ id: generateMessageId(message), message, origin: [join(WEB, source), 1] })
  return found
}
