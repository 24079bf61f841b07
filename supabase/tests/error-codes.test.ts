import { readdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readSchemas } from '../generate/schemas.ts'

const FOLDER = resolve(import.meta.dirname, '..')

const listed = async () =>
  [
    ...(await readFile(resolve(FOLDER, 'error-codes.md'), 'utf8')).matchAll(/^\| (\w{5}) +\| `(.+?)` +\|/gm),
  ].map(([, code, message]) => `${code} ${message}`)

// The message itself is the first literal; a bare '%' passes on a message written at the call.
const RAISE = /raise exception '((?:[^']|'')+)'[^;]*?using\s+errcode = '(\w{5})'/g
const WRITTEN_ELSEWHERE = '%'

const raised = async () =>
  (await readSchemas()).flatMap(({ sql }) =>
    [...sql.matchAll(RAISE)]
      .map(([, message = '', code]) => ({ code, message: message.replaceAll("''", "'") }))
      .filter(({ message }) => message !== WRITTEN_ELSEWHERE)
      .map(({ code, message }) => `${code} ${message}`),
  )

test('every refusal that the schema raises is listed', async () => {
  const known = new Set(await listed())
  const found = await raised()
  expect(found.length).toBeGreaterThan(50)
  expect(found.filter((refusal) => !known.has(refusal))).toEqual([])
})

test('no refusal says twice what to do about one fault', async () => {
  expect((await listed()).filter((refusal) => /\bPlease\b.*\bPlease\b/.test(refusal))).toEqual([])
})

test('every listed refusal is in the schema', async () => {
  const all = (await readSchemas()).map(({ sql }) => sql).join('\n')
  const missing = (await listed()).filter((refusal) => {
    const sentence = refusal.slice(6).replaceAll("'", "''")
    return !all.includes(`'${sentence}'`) && !all.includes(`'${sentence.replace('%', '%s')}'`)
  })
  expect(missing).toEqual([])
})

test('the words of every listed refusal are in some test', async () => {
  const tests: string[] = []
  for (const folder of [import.meta.dirname, resolve(FOLDER, '../server/test')])
    for (const file of await readdir(folder, { recursive: true }))
      if (file.endsWith('.ts') && file !== basename(import.meta.filename))
        tests.push((await readFile(join(folder, file), 'utf8')).replace(/\\(?=[.'])|'(?=')/g, ''))
  // For a message with values, its longest part between them; a pattern may omit the full stop.
  const words = (refusal: string) =>
    refusal
      .slice(6)
      .split('%')
      .reduce((longest, part) => (part.length > longest.length ? part : longest), '')
      .replace(/\.?\s*$/, '')
      .trim()
  const unheard = (await listed()).filter((refusal) => !tests.some((text) => text.includes(words(refusal))))
  expect(unheard, 'refusals that no test under supabase/tests or server/test asserts').toEqual([])
})

test('every raise names its code, in one of those that are documented', async () => {
  const codes = [
    '42501',
    '23502',
    '23503',
    '23505',
    '23514',
    'PT401',
    'PT403',
    'PT404',
    'PT409',
    'PT410',
    'PT429',
  ]
  for (const { path, sql } of await readSchemas()) {
    const coded = [...sql.matchAll(/raise exception [^;]*?errcode = '(\w{5})'/g)].map(([, code = '']) => code)
    expect([path, sql.match(/raise exception/g)?.length ?? 0]).toEqual([path, coded.length])
    expect(coded.filter((code) => !codes.includes(code))).toEqual([])
  }
})
