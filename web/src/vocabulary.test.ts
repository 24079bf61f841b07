// Checks all texts that people read against the vocabulary of docs/glossary.md: rejected synonyms are allowed only
// where the two documents prescribe them, and a translation has one word for one thing. Also finds plurals after a
// number that may be one.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import PO from 'pofile'
import { parseAst } from 'vite'
import { expect, it } from 'vitest'
import { languages } from '../build/language/languages.ts'

const LOST =
  /\b(seats?|slots?|spots?|hosts?|subscribers?|participants?|tenants?|commissions?|surcharges?|co-?members?)\b/i

/** Texts that the two documents prescribe or use: "edit slots", "open slots". */
const SET = [
  /^Edit (Member Slots|member slots|slots)$/,
  /^Slots Updated$/,
  /^Open slots( must be between 1 and( %\.)?)?$/,
  /^No spots available$/,
  // A list of tables, in personal-data.ts.
  /\bprivate\.seats\b/,
]

const ROOT = join(import.meta.dirname, '../..')
const files = (folder: string, name: RegExp) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file) && !/\.(test|gen)\./.test(file))
    .map((file) => join(ROOT, folder, file))

const WORDS = files('supabase/functions/_shared/words', /(events|mails|papers)\.ts$/)
/** Excludes generated files. */
const SQL = files('supabase/schemas', /(?<!event_words|refusal_words)\.sql$/)

it('screens say place, member, owner and fee', () => {
  expect(files('web/src', /\.tsx?$/).flatMap((file) => lostIn(textsOf(file)))).toEqual([])
})

it('so do the database, notifications, mails and papers', () => {
  expect(lostIn(SQL.flatMap(saidIn))).toEqual([])
  expect(lostIn(WORDS.flatMap(textsOf))).toEqual([])
})

/**
 * The tables of "Names in each language" in the glossary: the names, then the statuses of a payment. Their first row
 * has the languages.
 */
const [[LANGUAGES = [], ...TWENTY] = [], [, ...STATUSES] = []] = (
  readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8')
    .split('## Names in each language')[1]
    ?.split('\n## ')[0] ?? ''
)
  .split(/\n\n(?=\| English )/)
  .slice(1)
  .map((table) =>
    table
      .split('\n')
      .filter((line) => /^\|(?!-)/.test(line))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  )

const names = new Intl.DisplayNames('en', { type: 'language' })
const englishNameOf = (language: string) => names.of(language) ?? ''

/** English messages with their translations into one language, without the names of placeholders. */
function translated(language: string) {
  const plain = (text = '') => text.replace(/\{\w+\}|\{\w+, (plural|select),/g, ' ')
  return ['web/locales', 'supabase/locales'].flatMap((folder) =>
    PO.parse(readFileSync(join(ROOT, folder, `${language}.po`), 'utf8')).items.map(
      ({ msgid, msgctxt, msgstr }) => ({
        ...{ english: plain(msgid), said: plain(msgstr[0]), context: msgctxt, id: msgid, text: msgstr[0] },
      }),
    ),
  )
}

it.each(languages().filter((language) => LANGUAGES.includes(englishNameOf(language))))(
  'a translation (%s) has the glossary’s one word for each of its twenty names',
  (language) => {
    const column = LANGUAGES.indexOf(englishNameOf(language))
    const messages = translated(language)
    expect([TWENTY.length, STATUSES.length]).toEqual([20, 5])
    for (const row of TWENTY) {
      const [, word = '', others = ''] = /^([^(]+?)(?: \(not (.+)\))?$/.exec(row[column] ?? '') ?? []
      const named = messages.filter(({ english }) => new RegExp(`\\b${row[0]}s?\\b`, 'i').test(english))
      // German forms compounds, and the end of a word may be inflected.
      const begins = (stem: string) => new RegExp(`${language === 'de' ? '' : '(?<!\\p{L})'}${stem}`, 'iu')
      const uses = named.filter(({ said }) => begins(word.slice(0, Math.max(3, word.length - 2))).test(said))
      expect(`${word}: ${uses.length > named.length / 4}`).toBe(`${word}: true`)
      const rivals = others ? others.split(', ').map(begins) : []
      const second = named.filter(({ said }) => rivals.some((rival) => rival.test(said)))
      expect(second.map(({ text }) => text)).toEqual([])
    }
    for (const row of STATUSES) {
      const status = messages.filter(({ id }) => id === row[0])
      const said =
        status.find(({ context }) => context === 'state of a payment') ??
        status.find(({ context }) => !context)
      expect(said?.text).toBe(row[column])
    }
  },
)

it('no time is told in UTC: screens have the time zone of the device, and the database that of its reader', () => {
  const inUtc = (text: string) => /\w,? UTC\b|\bUTC \w/.test(text)
  expect(
    files('web/src', /\.tsx?$/)
      .flatMap(textsOf)
      .filter(inUtc),
  ).toEqual([])
  expect(SQL.flatMap(saidIn).filter(inUtc)).toEqual([])
  expect(WORDS.flatMap(textsOf).filter(inUtc)).toEqual([])
})

it('a time in words never follows a preposition, as in "from in 23 hours"', () => {
  const after = /\b(from|until|since|by|on|at|before|after|for)(\s|\{' '\})*<RelativeDate/
  expect(files('web/src', /\.tsx$/).filter((file) => after.test(readFileSync(file, 'utf8')))).toEqual([])
})

// The rate limits' sentence is not checked: it comes from the database and says "seconds". The landing page always has
// several example shares.
it('no sentence puts a number before a plural that is wrong for one', () => {
  const nouns =
    'plans|places|people|members|coins|requests|users|wallets|providers|seconds|hours|days|features'
  // Matches a placeholder, perhaps a word, and a plural. CONSTANTS are fixed numbers, and money has decimals.
  const written = new RegExp(`\\{(?![A-Z_.]+[a-zA-Z]*\\})[^{}]*\\}\\s(?:[a-z]+\\s)?(?:${nouns})\\b(?!=)`, 'g')
  const found = files('web/src', /\.tsx?$/)
    .flatMap((file) =>
      Array.from(readFileSync(file, 'utf8').matchAll(written), ([text]) => `${file}: ${text}`),
    )
    .filter(
      (text) =>
        !/toFixed\(2\)|formatMoney|categoryLabel|\{step\}|rate-limit|cappedCount|\{figure\}|shares\.length/.test(
          text,
        ),
    )
  expect(found).toEqual([])
})

// Finds texts without t`…` or <Trans> here, before a reader of another language does.
it('every text on a screen is a message', () => {
  const texts = files('web/src', /\.tsx?$/).concat(files('web/landing', /\.tsx$/))
  expect(texts.flatMap(rawTexts)).toEqual([])
})

/** Attributes and fields that people read. */
const READ =
  /^(label|title|placeholder|aria-label|alt|description|message|text|confirmLabel|cancelLabel|action|heading|summary|error)$/
/** Names that are the same in every language, and values that are not text. */
const NAMES =
  /^(Potluck|IBAN|OpenAPI 3\.1|webhook-id|export POTLUCK_TOKEN=.*|…\/api\/[^ ]*|DE89[ \d]+|name@example\.com|https?:.*|\/\S*|h\d)$/

/** Texts between tags and in readable attributes that no macro marks as a message. */
function rawTexts(file: string): string[] {
  const found: string[] = []
  const note = (text: unknown) => {
    if (typeof text === 'string' && /\p{L}/u.test(text.replace(/&\w+;/g, '')) && !NAMES.test(text.trim()))
      found.push(`${file}: ${text}`)
  }
  const read = (node: unknown): void => {
    if (!isNode(node)) return
    if (node.type === 'Literal') note(node.value)
    else if (node.type === 'TemplateLiteral')
      for (const part of node.quasis as { value: { cooked: string } }[]) note(part.value.cooked)
    else if (node.type === 'ConditionalExpression') [node.consequent, node.alternate].forEach(read)
    else if (node.type === 'LogicalExpression' || node.type === 'JSXExpressionContainer')
      [node.right, node.expression].forEach(read)
  }
  const walk = (node: unknown, inTrans = false): void => {
    if (!isNode(node)) return
    // t({ message, context }) is a message.
    if (node.type === 'CallExpression' && nameOf(node.callee) === 't') return
    const element =
      node.type === 'JSXElement' && String((node.openingElement as { name: { name?: string } }).name.name)
    const within = inTrans || element === 'Trans'
    if (node.type === 'JSXText' && !inTrans) note(node.value)
    if (node.type === 'JSXAttribute' && READ.test(nameOf(node.name))) read(node.value)
    if (node.type === 'Property' && READ.test(nameOf(node.key))) read(node.value)
    if (node.type === 'JSXElement' || node.type === 'JSXFragment')
      for (const child of node.children as unknown[])
        isNode(child) && child.type === 'JSXExpressionContainer' && !within && read(child)
    // Placeholders within a message may contain texts of their own.
    for (const part of Object.values(node))
      for (const one of [part].flat())
        walk(one, within && isNode(one) && /^JSX(Text|Element|Fragment)$/.test(String(one.type)))
  }
  walk(parseAst(readFileSync(file, 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' }))
  return found
}

const nameOf = (node: unknown) => (isNode(node) ? String(node.name ?? node.value) : '')

// Logical properties only, so that a language written from right to left needs just a catalog.
it('no style sheet knows left from right', () => {
  const physical =
    /(?<![-\w])(?:left|right)\s*:|(?:margin|padding|border)-(?:left|right)\b|text-align:\s*(?:left|right)/
  const props = /\s(?:ml|mr|pl|pr)=|\bta="(?:left|right)"/
  const found = (folder: string, name: RegExp, wrong: RegExp) =>
    files(folder, name).filter((file) => wrong.test(readFileSync(file, 'utf8')))
  expect(found('web', /^(src|landing).*\.css$/, physical)).toEqual([])
  expect(found('web/src', /\.tsx$/, props)).toEqual([])
})

/** Texts with a rejected word. Names in code, a single word in lower case, are not counted. */
const lostIn = (texts: string[]): string[] =>
  texts
    .map((text) => text.trim().replace(/\s+/g, ' '))
    .filter((text) => /^[A-Z]| /.test(text) && LOST.test(text) && !SET.some((set) => set.test(text)))

function textsOf(file: string): string[] {
  const texts: string[] = []
  const walk = (node: unknown): void => {
    if (!isNode(node) || node.type === 'ImportDeclaration') return
    if (node.type === 'JSXText' || node.type === 'Literal') texts.push(String(node.value))
    else if (node.type === 'TemplateElement') texts.push((node.value as { cooked: string }).cooked)
    else Object.values(node).forEach(walk)
  }
  walk(parseAst(readFileSync(file, 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' }))
  return texts
}

/** The string literals in a schema file, except warnings, which go into the server's log. */
function saidIn(file: string): string[] {
  const code = readFileSync(file, 'utf8').replace(/--.*/g, '')
  return Array.from(code.matchAll(/(warning )?'((?:[^']|'')*)'/g), ([, log, text = '']) => (log ? '' : text))
}

const isNode = (node: unknown): node is Record<string, unknown> => typeof node === 'object' && node !== null
