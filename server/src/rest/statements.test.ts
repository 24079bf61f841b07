import { describe, expect, test } from 'vitest'
import { liftQuery } from './parse/lift.ts'
import { parseRows } from './parse/payload.ts'
import { pageOf } from './parse/window.ts'
import type { RestRequest } from './prepare.ts'
import type { Column, ForeignKey, Schema, Table } from './schema.ts'
import { createStatements } from './statements.ts'

const table = (name: string, columns: string[]): Table => ({
  schema: 'public',
  name,
  columns: new Map(
    columns.map((column): [string, Column] => [column, { name: column, type: 'text', default: null }]),
  ),
  isView: false,
  primaryKey: ['id'],
})
const authors = table('authors', ['id', 'name'])
const books = table('books', ['id', 'title', 'author_id'])
const key: ForeignKey = {
  name: 'books_author_id_fkey',
  from: books,
  columns: ['author_id'],
  to: authors,
  targets: ['id'],
  unique: false,
}
const schemaOf = (): Schema => ({
  table: (_schema, name) => [authors, books].find((known) => known.name === name),
  preRequest: undefined,
  computedOf: () => [],
  keysOf: () => [key],
  routines: () => [],
})

const request = (query: string, more: Partial<RestRequest> = {}): RestRequest => ({
  method: 'GET',
  target: { kind: 'table', schema: 'public', name: 'books' },
  query: liftQuery(query, { readArguments: false }),
  prefer: '',
  accept: '',
  payload: undefined,
  page: { limit: 1000, offset: 0 },
  ...more,
})

describe('a statement', () => {
  const schema = schemaOf()
  test('is made once for all values of a shape', () => {
    const statements = createStatements(1000)
    const first = statements.for(request('id=eq.1&select=title'), schema)
    expect(statements.for(request('id=eq.2&select=title'), schema)).toBe(first)
    expect(statements.for(request('id=gt.2&select=title'), schema)).not.toBe(first)
    expect(statements.for(request('id=eq.1&select=title', { method: 'HEAD' }), schema)).not.toBe(first)
    expect(statements.for(request('id=eq.1&select=title', { prefer: 'count=exact' }), schema)).not.toBe(first)
  })

  test('is made anew when the schema has changed', () => {
    const statements = createStatements(1000)
    const first = statements.for(request('id=eq.1'), schema)
    expect(statements.for(request('id=eq.1'), schemaOf())).not.toBe(first)
  })

  test('does not confuse keys that only look alike when they are joined', () => {
    const statements = createStatements(1000)
    const insert = (json: string) =>
      statements.for(request('', { method: 'POST', payload: parseRows(json, { anyKeys: false }) }), schema)
    expect(insert('{"id": 1, "title": 2}').text).toContain('("id", "title")')
    expect(() => insert('{"id,title": 1}')).toThrow(expect.objectContaining({ code: 'PGRST204' }))
    expect(() => insert('{"id\\",\\"title": 1}')).toThrow(expect.objectContaining({ code: 'PGRST204' }))
  })

  test('has the limit and the first pages written in, and one form for all pages behind them', () => {
    const statements = createStatements(1000)
    const at = (limit: number, offset: number) =>
      statements.for(request('order=id', { page: pageOf({ limit, offset }) }), schema)
    expect(at(20, 0).text).toMatch(/limit 20\)/)
    expect(at(20, 40).text).toMatch(/limit 20 offset 40\)/)
    expect(at(20, 7).text).toMatch(/limit 20 offset \$1\)/)
    expect(at(20, 7)).toBe(at(20, 5000))
  })

  test('cuts the page before it joins what decides nothing', () => {
    const statements = createStatements(1000)
    const plain = statements.for(request('select=title,authors(name)&order=id'), schema).text
    expect(plain.indexOf('limit')).toBeLessThan(plain.indexOf('lateral'))
    const inner = statements.for(request('select=title,authors!inner(name)&order=id'), schema).text
    expect(inner.indexOf('limit')).toBeGreaterThan(inner.indexOf('lateral'))
  })
})
