// Parses `select=id,total:price::text,editor:people!fk!inner(name),...publisher(city)`.
import { RestError } from '../errors.ts'
import { type Field, parsePath } from './field.ts'
import { Scanner } from './scanner.ts'

export interface SelectedColumn {
  kind: 'column'
  field: Field
  cast: string | undefined
  alias: string | undefined
}

export interface SelectedRelation {
  kind: 'relation'
  name: string
  alias: string | undefined
  hint: string | undefined
  inner: boolean
  /** True for `...relation(…)`, whose columns become the parent's. */
  spread: boolean
  items: SelectItem[]
}

export type SelectItem = { kind: 'all' } | SelectedColumn | SelectedRelation

const CAST = /[A-Za-z0-9_ ]+(?:\[\])?/y
const AGGREGATE = /(?:count|sum|avg|min|max)\(\)/y
const MOST_DEPTH = 20
const MOST_ITEMS = 100

export function parseSelect(text: string): SelectItem[] {
  const scanner = new Scanner(text, 'select parameter')
  // The limit is needed because a short URL could select a column many times under different names.
  if (text.split(',').length > MOST_ITEMS) scanner.fail(`at most ${MOST_ITEMS} items`)
  const items = scanner.done ? [] : parseItems(scanner, 0)
  scanner.end()
  return items
}

function parseItems(scanner: Scanner, depth: number): SelectItem[] {
  if (depth > MOST_DEPTH) scanner.fail(`at most ${MOST_DEPTH} levels`)
  const items: SelectItem[] = []
  do items.push(parseItem(scanner, depth))
  while (scanner.eats(','))
  return items
}

function parseItem(scanner: Scanner, depth: number): SelectItem {
  if (scanner.eats('*')) return { kind: 'all' }
  const spread = scanner.eats('...')
  refuseAggregate(scanner)
  let name = scanner.name()
  let alias: string | undefined
  if (!spread && scanner.sees(':') && !scanner.sees('::')) {
    scanner.needs(':')
    alias = name
    refuseAggregate(scanner)
    name = scanner.name()
  }
  if (spread || scanner.sees('!') || scanner.sees('(')) {
    return parseRelation(scanner, { name, alias, spread, depth })
  }
  const path = parsePath(scanner)
  const cast = scanner.eats('::') ? (scanner.match(CAST)?.trim() ?? scanner.fail('a type')) : undefined
  if (scanner.eats('.')) refuseAggregate(scanner, true)
  return { kind: 'column', field: { column: name, path }, cast, alias }
}

function parseRelation(
  scanner: Scanner,
  { depth, ...named }: { name: string; alias: string | undefined; spread: boolean; depth: number },
): SelectedRelation {
  let hint: string | undefined
  let inner = false
  while (scanner.eats('!')) {
    const word = scanner.name()
    if (word === 'inner') inner = true
    else if (word !== 'left') hint = word
  }
  scanner.needs('(')
  const items = scanner.sees(')') ? [] : parseItems(scanner, depth + 1)
  scanner.needs(')')
  return { kind: 'relation', ...named, hint, inner, items }
}

// Hosted projects have aggregates disabled, so both spellings are refused.
function refuseAggregate(scanner: Scanner, needed = false): void {
  if (scanner.match(AGGREGATE) !== undefined) {
    throw new RestError('PGRST123', 'Use of aggregate functions is not allowed')
  }
  if (needed) scanner.fail('an aggregate function')
}
