// The words of docs/glossary.md, wherever people read them: those that lost stand only where the two documents set them.
// And a number before a plural, which is wrong for one.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { expect, it } from 'vitest'

const LOST =
  /\b(seats?|slots?|spots?|hosts?|subscribers?|participants?|tenants?|commissions?|surcharges?|co-?members?)\b/i

/** What the documents set, or call so: "edit slots", "open slots". */
const SET = [
  /^Edit (Member Slots|member slots|slots)$/,
  /^Slots Updated$/,
  /^Open slots( must be between 1 and( %\.)?)?$/,
  /^No spots available$/,
]

const ROOT = join(import.meta.dirname, '../..')
const files = (folder: string, name: RegExp) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file) && !/\.(test|gen)\./.test(file))
    .map((file) => join(ROOT, folder, file))

it('screens say place, member, owner and fee', () => {
  expect(files('web/src', /\.tsx?$/).flatMap((file) => lostIn(textsOf(file)))).toEqual([])
})

it('what the database says does too', () => {
  expect(lostIn(files('supabase/schemas', /\.sql$/).flatMap(saidIn))).toEqual([])
})

it('no time is told in UTC: screens have the time zone of the device, and the database that of its reader', () => {
  const inUtc = (text: string) => /\w,? UTC\b|\bUTC \w/.test(text)
  expect(
    files('web/src', /\.tsx?$/)
      .flatMap(textsOf)
      .filter(inUtc),
  ).toEqual([])
  expect(
    files('supabase/schemas', /\.sql$/)
      .flatMap(saidIn)
      .filter(inUtc),
  ).toEqual([])
  expect(
    files('supabase/functions/_shared/words', /(events|mails|papers)\.ts$/)
      .flatMap(textsOf)
      .filter(inUtc),
  ).toEqual([])
})

it('a time in words never follows a preposition, as in "from in 23 hours"', () => {
  const after = /\b(from|until|since|by|on|at|before|after|for)(\s|\{' '\})*<RelativeDate/
  expect(files('web/src', /\.tsx$/).filter((file) => after.test(readFileSync(file, 'utf8')))).toEqual([])
})

// The sentence of rate limits is the database's, and says seconds.
it('no sentence puts a number before a plural that is wrong for one', () => {
  const nouns =
    'plans|places|people|members|coins|requests|users|wallets|providers|seconds|hours|days|features'
  // A number from elsewhere, perhaps a word, and a plural. CONSTANTS are what they are, and money has its decimals.
  const written = new RegExp(`\\{(?![A-Z_.]+[a-zA-Z]*\\})[^{}]*\\}\\s(?:[a-z]+\\s)?(?:${nouns})\\b(?!=)`, 'g')
  const found = files('web/src', /\.tsx?$/)
    .flatMap((file) =>
      Array.from(readFileSync(file, 'utf8').matchAll(written), ([text]) => `${file}: ${text}`),
    )
    .filter(
      (text) =>
        !/toFixed\(2\)|formatMoney|categoryLabel|\{step\}|rate-limit|cappedCount|\{figure\}/.test(text),
    )
  expect(found).toEqual([])
})

// Whoever adds a text without t`…` or <Trans> finds out here instead of from somebody who reads another language.
it('every text on a screen is a message', () => {
  const texts = files('web/src', /\.tsx?$/).concat(files('web/landing', /\.tsx$/))
  expect(texts.flatMap(rawTexts)).toEqual([])
})

/** Attributes and fields that people read. */
const READ =
  /^(label|title|placeholder|aria-label|alt|description|message|text|confirmLabel|cancelLabel|action|heading|summary|error)$/
/** Names that are the same in every language, and what is only for screens. */
const NAMES =
  /^(Potluck|IBAN|OpenAPI 3\.1|webhook-id|export POTLUCK_TOKEN=.*|…\/api\/[^ ]*|DE89[ \d]+|name@example\.com|https?:.*|\/\S*|h\d)$/

/** Texts between tags, and in what people read, that no macro makes a message of. */
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
    // What a message is filled with may be text of its own.
    for (const part of Object.values(node))
      for (const one of [part].flat())
        walk(one, within && isNode(one) && /^JSX(Text|Element|Fragment)$/.test(String(one.type)))
  }
  walk(parseAst(readFileSync(file, 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' }))
  return found
}

const nameOf = (node: unknown) => (isNode(node) ? String(node.name ?? node.value) : '')

// So that a language which runs from right to left is one file too.
it('no style sheet knows left from right', () => {
  const physical =
    /(?<![-\w])(?:left|right)\s*:|(?:margin|padding|border)-(?:left|right)\b|text-align:\s*(?:left|right)/
  const props = /\s(?:ml|mr|pl|pr)=|\bta="(?:left|right)"/
  const found = (folder: string, name: RegExp, wrong: RegExp) =>
    files(folder, name).filter((file) => wrong.test(readFileSync(file, 'utf8')))
  expect(found('web', /^(src|landing).*\.css$/, physical)).toEqual([])
  expect(found('web/src', /\.tsx$/, props)).toEqual([])
})

/** Sentences and labels: names in code are one word in small letters. */
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

/** The texts in a schema. */
function saidIn(file: string): string[] {
  const code = readFileSync(file, 'utf8').replace(/--.*/g, '')
  // A warning goes into the log of the server.
  return Array.from(code.matchAll(/(warning )?'((?:[^']|'')*)'/g), ([, log, text = '']) => (log ? '' : text))
}

const isNode = (node: unknown): node is Record<string, unknown> => typeof node === 'object' && node !== null
