// docs/law.md and docs/privacy.md against the code: files, functions, tables and headings that they name exist, and terms are as they say.
import { readFileSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { columnOf, single } from './answers.ts'
import { ownDatabase } from './people.ts'

const { db, sql } = await ownDatabase()
const ROOT = resolve(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8')
const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
/** The function that the docs write as `schema.name()`. */
const sourceOf = (name: string) =>
  single<string | undefined>(
    sql`select prosrc from pg_proc where pronamespace::regnamespace::text || '.' || proname || '()' = ${name} limit 1`,
  )

describe.each(['docs/law.md', 'docs/privacy.md'])('%s', (page) => {
  test('names only what exists', async () => {
    const tables = await columnOf(
      sql`select schemaname || '.' || tablename from pg_tables where schemaname in ('public', 'private', 'auth')`,
    )
    const missing: string[] = []
    for (const name of new Set(quoted(read(page)))) {
      const [schema] = name.split('.')
      const is = name.endsWith('()')
        ? await sourceOf(name).then(
            (source) => source !== undefined,
            () => false,
          )
        : /^(public|private|auth)$/.test(schema ?? '')
          ? tables.includes(name)
          : /^\w+\/.*/.test(name)
            ? (await exists(join(ROOT, name))) || (await exists(join(ROOT, 'supabase/schemas', name)))
            : true
      if (!is) missing.push(name)
    }
    expect(missing).toEqual([])
  })

  test('links only to headings that exist', async () => {
    for (const [, file = '', anchor] of read(page).matchAll(/\]\(([^)#\s]+)(?:#([^)]*))?\)/g)) {
      const path = join('docs', file)
      const anchors = [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\w\- ]/g, '')
          .replaceAll(' ', '-'),
      )
      if (anchor) expect(anchors, file).toContain(anchor)
    }
  })
})

test('every term in docs/privacy.md is that of its function, and its job names its tables', async () => {
  const [, table = ''] = read('docs/privacy.md').split('## What is deleted when')
  const rows = table
    .split('\n## ')[0]
    ?.split('\n')
    .filter((line) => /^\| [^-]/.test(line))
    .slice(1)
    .map((line) => line.split('|').slice(1, -1))
  expect(rows?.length).toBeGreaterThan(15)
  for (const [what, tables = '', kept = '', terms = '', jobs = ''] of rows ?? []) {
    const written = kept.match(/\d+ (day|month|year)s?/g) ?? []
    const functions = quoted(terms)
    // Terms of the platform and steps without a time have no function.
    if (functions.length > 0) expect(functions, what).toHaveLength(written.length)
    for (const [at, name] of functions.entries()) {
      const [row] = await db.query<{ same: boolean }>(`select ${name} = $1::interval as same`, [
        String(written[at]),
      ])
      expect(row?.same, `${what}: ${name}`).toBe(true)
    }
    const sources = (await Promise.all(quoted(jobs).map(sourceOf))).join()
    for (const name of quoted(tables)) expect(sources, `${what}: ${name}`).toContain(name)
  }
})
