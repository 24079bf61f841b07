import { readdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { refusals } from '../functions/_shared/words/refusals.ts'
import { readSchemas } from '../generate/schemas.ts'
import { ownDatabase } from './people.ts'

const FOLDER = resolve(import.meta.dirname, '..')
const sentences = Object.values(refusals).map(([, sentence]) => sentence)

test('every refusal is raised, and every raise names one', async () => {
  const files = (await readSchemas()).filter(({ path }) => !/refusal(_word)?s\.sql$/.test(path))
  expect(files.flatMap(({ sql }) => sql.match(/raise exception [^;]*/g) ?? [])).toEqual([])
  const functions = []
  for (const file of await readdir(join(FOLDER, 'functions'), { recursive: true }))
    if (/^(vault|import|_shared)\/[\w-]+\.ts$/.test(file))
      functions.push(await readFile(join(FOLDER, 'functions', file), 'utf8'))
  const all = [...files.map(({ sql }) => sql), ...functions].join('\n')
  const raised = Array.from(
    all.matchAll(
      /(?:private\.refuse(?:_columns)?|new (?:BadInput|NotOutside))\((?:v_columns, |'\w+', (?='))?'(\w+)'/g,
    ),
    ([, key = '']) => key,
  )
  expect(raised.length).toBeGreaterThan(300)
  expect(raised.filter((key) => !(key in refusals))).toEqual([])
  expect(Object.keys(refusals).filter((key) => !all.includes(`'${key}'`))).toEqual([])
})

test('an error carries its key, its values, and the columns of a broken constraint', async () => {
  const { db } = await ownDatabase()
  const error = async (call: string) => {
    const { code, message, hint, detail } = await db.query(`select ${call}`).then(
      () => Promise.reject(new Error('It was not refused')),
      (problem: unknown) => problem as Record<string, string>,
    )
    return [code, message, hint, detail]
  }
  expect(await error(`private.refuse('plan_full')`)).toEqual([
    '23514',
    'Subscription Full',
    'plan_full',
    null,
  ])
  expect(await error(`private.refuse('withdrawal_step_not_allowed', 'May 4', '100% "sure"')`)).toEqual([
    ...['23514', 'A May 4 withdrawal cannot become 100% "sure"', 'withdrawal_step_not_allowed'],
    '{"values": ["May 4", "100% \\"sure\\""]}',
  ])
  expect(await error(`private.refuse_columns('plan_id, name', 'text_too_long', '5')`)).toEqual([
    ...['23514', 'Please use up to 5 characters', 'text_too_long'],
    '{"values": ["5"], "columns": ["plan_id", "name"]}',
  ])
  for (const wrong of ['text_too_long', 'unheard_of'])
    expect(await error(`private.refuse('${wrong}')`)).toContain(`There is no refusal ${wrong} of 0 values`)
})

test('no refusal says twice what to do about one fault', () => {
  expect(sentences.filter((sentence) => /\bPlease\b.*\bPlease\b/.test(sentence))).toEqual([])
})

test('the words of every refusal are in some test', async () => {
  const tests: string[] = []
  for (const folder of [import.meta.dirname, resolve(FOLDER, '../server/test')])
    for (const file of await readdir(folder, { recursive: true }))
      if (file.endsWith('.ts') && file !== basename(import.meta.filename))
        tests.push((await readFile(join(folder, file), 'utf8')).replace(/\\(?=[.'])|'(?=')/g, ''))
  // For a message with values, the longest fixed part; a pattern may omit the full stop.
  const words = (sentence: string) =>
    sentence
      .split('%')
      .reduce((longest, part) => (part.length > longest.length ? part : longest), '')
      .replace(/\.?\s*$/, '')
      .trim()
  const unheard = sentences.filter((sentence) => !tests.some((text) => text.includes(words(sentence))))
  expect(unheard, 'refusals that no test under supabase/tests or server/test asserts').toEqual([])
})
