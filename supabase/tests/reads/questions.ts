// A query on the tables, written twice: as a request to the Data API, and as hand-written SQL.
import fc, { type Arbitrary } from 'fast-check'
import type { Column, Relation, Table } from './tables.ts'

export interface Question {
  table: Table
  items: Item[]
  where: Condition[]
  order: { column: string; descending: boolean; nullsFirst: boolean }[]
  limit: number | undefined
  offset: number
}

type Item = { column: string; asText: boolean } | { relation: Relation; inner: boolean; of: Question }

type Condition =
  | { column: string; not: boolean; operator: string; value: string }
  | { and: boolean; not: boolean; of: Condition[] }

const nth = <T>(from: readonly T[], number: number): T => from[number % from.length] as T

const COMPARED: Record<string, string> = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' }

/** Returns a condition that fits the column's type, with one of the column's existing values. */
function conditionOn({ name: column, type, samples }: Column, number: number, not: boolean): Condition {
  const value = samples.length > 0 ? nth(samples, number) : '1'
  const comparisons = /json|\[\]/.test(type) || samples.length === 0 ? [] : Object.keys(COMPARED)
  const words = type === 'text' ? ['like', 'ilike', 'in', 'plfts'] : []
  return { column, not, operator: nth(['is', 'not_null', ...comparisons, ...words], number >> 3), value }
}

const numbers = fc.nat(1_000)

/** Generates any possible query on these tables, permitted or not. */
export function anyQuestion(tables: readonly Table[]): Arbitrary<Question> {
  const named = new Map(tables.map((table) => [table.name, table]))
  const about = (table: Table, depth: number): Arbitrary<Question> => {
    const column = numbers.map((number) => nth(table.columns, number))
    const filter = fc
      .tuple(column, numbers, fc.boolean())
      .map(([one, number, not]) => conditionOn(one, number, not))
    const group = fc
      .record({ and: fc.boolean(), not: fc.boolean(), of: fc.array(filter, { minLength: 1, maxLength: 3 }) })
      .map((condition): Condition => condition)
    const plain = fc.tuple(column, fc.boolean()).map(([{ name }, asText]): Item => ({ column: name, asText }))
    const related = numbers.chain((number) => {
      const relation = nth(table.relations, number)
      const other = named.get(relation.to) as Table
      return fc.record({ relation: fc.constant(relation), inner: fc.boolean(), of: about(other, depth + 1) })
    })
    const item = depth < 2 && table.relations.length > 0 ? fc.oneof(plain, plain, related) : plain
    return fc.record({
      table: fc.constant(table),
      items: fc.array(item, { minLength: 1, maxLength: 4 }),
      where: fc.array(fc.oneof(filter, group), { maxLength: depth === 0 ? 3 : 1 }),
      order: fc.array(
        fc.record({
          column: column.filter(({ type }) => type !== 'json').map(({ name }) => name),
          descending: fc.boolean(),
          nullsFirst: fc.boolean(),
        }),
        { maxLength: 2 },
      ),
      limit: fc.option(fc.nat(8), { nil: undefined }),
      offset: fc.nat(2),
    })
  }
  return numbers.chain((number) => about(nth(tables, number), 0))
}

// The order ends with the key, so that it is always total.
const wholeOrder = ({ order, table }: Question) => [
  ...order,
  ...table.primaryKey.map((column) => ({ column, descending: false, nullsFirst: false })),
]

/** Returns the query as parameters `name=value` of the Data API. */
export function asRequest(question: Question): string {
  const asked = new URLSearchParams()
  asked.append('select', selectOf(question))
  addRest(question, '', asked)
  return asked.toString()
}

const selectOf = ({ items }: Question): string =>
  items
    .map((item, index) => {
      if ('column' in item) return `i${index}:${item.column}${item.asText ? '::text' : ''}`
      const { relation, inner, of } = item
      return `i${index}:${relation.to}!${relation.key}${inner ? '!inner' : ''}(${selectOf(of)})`
    })
    .join(',')

function addRest(question: Question, path: string, asked: URLSearchParams): void {
  for (const condition of question.where) {
    if ('column' in condition) asked.append(path + condition.column, testOf(condition))
    else
      asked.append(
        `${path}${condition.not ? 'not.' : ''}${condition.and ? 'and' : 'or'}`,
        membersOf(condition.of),
      )
  }
  const terms = wholeOrder(question).map(
    ({ column, descending, nullsFirst }) =>
      `${column}.${descending ? 'desc' : 'asc'}.${nullsFirst ? 'nullsfirst' : 'nullslast'}`,
  )
  asked.append(`${path}order`, terms.join(','))
  if (question.limit !== undefined) asked.append(`${path}limit`, String(question.limit))
  asked.append(`${path}offset`, String(question.offset))
  for (const [index, item] of question.items.entries())
    if ('relation' in item) addRest(item.of, `${path}i${index}.`, asked)
}

const quoted = (value: string) => `"${value.replace(/["\\]/g, '\\$&')}"`
const pattern = (value: string) => `*${value.slice(0, 3).replace(/[*%_\\]/g, '')}*`
const word = (value: string) => value.split(/\W+/)[0] ?? ''

function testOf(
  { not, operator, value }: Extract<Condition, { column: string }>,
  quote = (text: string) => text,
) {
  const test =
    {
      ...{ is: 'is.null', not_null: 'is.not_null', in: `in.(${quoted(value)},"x")` },
      ...{ like: `like.${quote(pattern(value))}`, ilike: `ilike.${quote(pattern(value).toUpperCase())}` },
      plfts: `plfts(english).${quote(word(value))}`,
    }[operator] ?? `${operator}.${quote(value)}`
  return `${not ? 'not.' : ''}${test}`
}

const membersOf = (of: Condition[]): string =>
  `(${of
    .map((member) =>
      'column' in member
        ? `${member.column}.${testOf(member, quoted)}`
        : `${member.not ? 'not.' : ''}${member.and ? 'and' : 'or'}${membersOf(member.of)}`,
    )
    .join(',')})`

/** Returns the query as SQL whose rows are in order. `depth` keeps the aliases of nested tables apart. */
export function asSql(question: Question, depth = 0, belongs: string[] = []): string {
  const { table, items, limit, offset } = question
  const own = `t${depth}`
  const outputs = items.map((item, index) => {
    if ('column' in item) return `${own}.${item.column}${item.asText ? '::text' : ''} as i${index}`
    const rows = `(${relatedSql(item, own, depth)}) as r`
    return item.relation.one
      ? `(select row_to_json(r) from ${rows}) as i${index}`
      : `(select coalesce(json_agg(r), '[]') from ${rows}) as i${index}`
  })
  const order = wholeOrder(question).map(
    ({ column, descending, nullsFirst }) =>
      `${own}.${column} ${descending ? 'desc' : 'asc'} nulls ${nullsFirst ? 'first' : 'last'}`,
  )
  return `select ${outputs.join(', ')} from public.${table.name} as ${own} ${whereSql(question, depth, belongs)}
    order by ${order.join(', ')} limit ${limit ?? 'all'} offset ${offset}`
}

/** Returns SQL that counts the query's rows without its limit. */
export const totalSql = (question: Question) =>
  `select count(*) as total from public.${question.table.name} as t0 ${whereSql(question, 0, [])}`

function relatedSql(
  { relation, of }: Extract<Item, { relation: Relation }>,
  own: string,
  depth: number,
): string {
  const belongs = relation.pairs.map(([mine, other]) => `t${depth + 1}.${other} = ${own}.${mine}`)
  return asSql(of, depth + 1, belongs)
}

function whereSql({ where, items }: Question, depth: number, belongs: string[]): string {
  const own = `t${depth}`
  const there = items.flatMap((item) =>
    'relation' in item && item.inner ? [`exists (${relatedSql(item, own, depth)})`] : [],
  )
  const conditions = [...belongs, ...there, ...where.map((condition) => conditionSql(condition, own))]
  return conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

function conditionSql(condition: Condition, own: string): string {
  const no = condition.not ? 'not ' : ''
  if (!('column' in condition)) {
    const members = condition.of.map((member) => conditionSql(member, own))
    return `${no}(${members.join(condition.and ? ' and ' : ' or ')})`
  }
  const { operator, value } = condition
  const column = `${own}.${condition.column}`
  const like = literal(pattern(value).replaceAll('*', '%'))
  const test =
    {
      ...{
        is: `${column} is null`,
        not_null: `${column} is not null`,
        in: `${column} in (${literal(value)}, 'x')`,
      },
      ...{ like: `${column} like ${like}`, ilike: `${column} ilike ${like.toUpperCase()}` },
      plfts: `to_tsvector('english', ${column}) @@ plainto_tsquery('english', ${literal(word(value))})`,
    }[operator] ?? `${column} ${COMPARED[operator]} ${literal(value)}`
  return `${no}(${test})`
}
