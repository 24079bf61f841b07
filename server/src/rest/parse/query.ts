// Parses the parameters of a query string. Each filter, order, limit and offset gets the path of the embedded relation
// that it applies to.
import { type Condition, type Operand, parseTest, parseTree } from './condition.ts'
import { type Field, type JsonStep, parseField, parsePath } from './field.ts'
import type { QueryPart } from './lift.ts'
import { startsWithOperator } from './operators.ts'
import { Scanner } from './scanner.ts'
import { parseSelect, type SelectItem } from './select.ts'

/** A parameter for the relation at `path`; an empty path means the target itself. */
export interface At<T> {
  path: string[]
  value: T
}

export interface Query {
  select: SelectItem[]
  /** The columns of a bulk insert, if given. */
  columns: string[] | undefined
  onConflict: string[] | undefined
  conditions: At<Condition>[]
  orders: At<OrderTerm[]>[]
  limits: At<number>[]
  offsets: At<number>[]
  /** Arguments of a function called by GET, each with all of its values. */
  args: Map<string, Operand[]>
}

const TREES: ReadonlyMap<string, { and: boolean; not: boolean }> = new Map([
  ['and', { and: true, not: false }],
  ['or', { and: false, not: false }],
])

/** Parses the parameters, and checks only their syntax. The planner checks that relations and columns exist. */
export function parseQuery(
  parts: readonly QueryPart[],
  { readArguments }: { readArguments: boolean },
): Query {
  const query: Query = {
    select: [],
    columns: undefined,
    onConflict: undefined,
    conditions: [],
    orders: [],
    limits: [],
    offsets: [],
    args: new Map(),
  }
  for (const part of parts) addPart(query, part, readArguments)
  return query
}

function addPart(query: Query, { key, value, slot }: QueryPart, readArguments: boolean): void {
  if (key === 'select') query.select = parseSelect(value)
  else if (key === 'columns') query.columns = parseNames(value, 'columns parameter')
  else if (key === 'on_conflict') query.onConflict = parseNames(value, 'on_conflict parameter')
  else if (
    readArguments &&
    !startsWithOperator(value) &&
    !/(?:^|\.)(?:and|or|order|limit|offset)$/.test(key)
  ) {
    const operand = slot === null ? { text: value } : { slot }
    query.args.set(key, [...(query.args.get(key) ?? []), operand])
  } else addLocated(query, parseKey(key), value, slot)
}

function addLocated(query: Query, { names, json }: Key, value: string, slot: number | null): void {
  const path = names.slice(0, -1)
  const last = names.at(-1) ?? ''
  const tree = TREES.get(last)
  if (json.length > 0) {
    const field = { column: last, path: json }
    query.conditions.push({ path, value: { kind: 'filter', field, ...parseTest(value, slot) } })
  } else if (tree) {
    const not = path.at(-1) === 'not'
    query.conditions.push({ path: not ? path.slice(0, -1) : path, value: parseTree(value, { ...tree, not }) })
  } else if (last === 'order') query.orders.push({ path, value: parseOrder(value) })
  else if (last === 'limit' || last === 'offset') {
    // As in PostgREST, a value that is not a number is ignored.
    if (/^\d{1,9}$/.test(value)) query[`${last}s`].push({ path, value: Number(value) })
  } else {
    const field = { column: last, path: [] }
    query.conditions.push({ path, value: { kind: 'filter', field, ...parseTest(value, slot) } })
  }
}

interface Key {
  names: string[]
  json: JsonStep[]
}

/** Parses `owner.profile.data->>city`: relations from the outside in, then the column and its JSON path. */
function parseKey(key: string): Key {
  const scanner = new Scanner(key, 'tree path')
  const names = [scanner.name()]
  while (scanner.eats('.')) names.push(scanner.name())
  const json = parsePath(scanner)
  scanner.end()
  return { names, json }
}

function parseNames(text: string, what: string): string[] {
  const scanner = new Scanner(text, what)
  const names = [scanner.name()]
  while (scanner.eats(',')) names.push(scanner.name())
  scanner.end()
  return names
}

export interface OrderTerm {
  /** The embedded to-one relation of the column; undefined for the row's own column. */
  relation: string | undefined
  field: Field
  descending: boolean
  nulls: 'first' | 'last' | undefined
}

/** Parses `created_at.desc.nullslast,data->>rank,owner(name).desc`. */
function parseOrder(text: string): OrderTerm[] {
  const scanner = new Scanner(text, 'order')
  const terms: OrderTerm[] = []
  do terms.push(parseTerm(scanner))
  while (scanner.eats(','))
  scanner.end()
  return terms
}

function parseTerm(scanner: Scanner): OrderTerm {
  let field = parseField(scanner)
  let relation: string | undefined
  if (field.path.length === 0 && scanner.eats('(')) {
    relation = field.column
    field = parseField(scanner)
    scanner.needs(')')
  }
  const descending = scanner.eats('.desc')
  if (!descending) scanner.eats('.asc')
  const nulls = scanner.eats('.nullsfirst') ? 'first' : scanner.eats('.nullslast') ? 'last' : undefined
  if (!scanner.done && !scanner.sees(',')) scanner.fail('"asc", "desc", "nullsfirst" or "nullslast"')
  return { relation, field, descending, nulls }
}
