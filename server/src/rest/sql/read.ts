// Writes a read plan as SQL: one select, with embedded relations as lateral joins.
import type { Embed, Output, ReadNode } from '../plan/read.ts'
import { conditionSql, fieldSql } from './condition.ts'
import { constant, name, qualified, type StatementParameters, typeName } from './text.ts'

/** The alias of the subquery that returns whole rows. */
export const ROW = '"pgrst_row"'

interface RowsOptions {
  /** The SQL of the node's own rows, including the alias. */
  from: string
  parameters: StatementParameters
  /** Conditions and outputs in addition to the node's own. */
  conditions?: string[]
  outputs?: string[]
}

export function rowsSql(
  node: ReadNode,
  { from, parameters, conditions = [], outputs = [] }: RowsOptions,
): string {
  const selected = [...outputs, ...node.outputs.map((output) => outputSql(node, output, parameters))].filter(
    (sql) => sql !== '',
  )
  const parts = [
    `select ${selected.join(', ')}`,
    `from ${from}`,
    ...node.embeds.map((embed) => joinSql(node, embed, parameters)),
    whereSql(node, parameters, conditions),
    orderSql(node, parameters),
    node.limit === undefined ? '' : `limit ${node.limit}`,
    node.offset === undefined ? '' : `offset ${node.offset}`,
  ]
  return parts.filter((part) => part !== '').join(' ')
}

/** Returns the columns of a node's source that the node's own outputs, joins and order use. */
export function sourceColumnsSql({ source, outputs, order, embeds }: ReadNode): string[] {
  // A function that takes the row needs all columns.
  const all = outputs.some(({ kind }) => kind === 'all') || embeds.some((one) => one.relationship.routine)
  const named = [
    ...outputs.flatMap((output) => (output.kind === 'column' ? [output.field.column] : [])),
    ...embeds.flatMap(({ relationship }) => relationship.pairs.map(([outer]) => outer)),
    ...order.flatMap(({ term, embed }) => (embed ? [] : [term.field.column])),
  ]
  const extra = [...new Set(named)].filter((column) => !all || !source.columns.includes(column))
  return [...(all ? ['*'] : []), ...extra.map(name)].map((column) => `${name(source.alias)}.${column}`)
}

/**
 * Writes the rows of one page. If embedded relations neither filter nor order, the page is cut before they are joined,
 * so that rows before the offset are not joined only to be dropped.
 */
export function pageOfRowsSql(
  node: ReadNode,
  from: string,
  page: string,
  parameters: StatementParameters,
): string {
  const columns = sourceColumnsSql(node)
  const late = node.embeds.some(({ restricts, ordering }) => restricts || ordering.length > 0)
  if (node.embeds.length === 0 || late || columns.length === 0) {
    return rowsSql(node, { from, parameters }) + page
  }
  const parts = [
    `select ${columns.join(', ')} from ${from}`,
    whereSql(node, parameters, []),
    orderSql(node, parameters),
  ]
  const cut = `(${parts.filter((part) => part !== '').join(' ')}${page}) as ${name(node.source.alias)}`
  return rowsSql({ ...node, where: [] }, { from: cut, parameters })
}

/** Counts all rows, regardless of the page. */
export function totalSql(node: ReadNode, from: string, parameters: StatementParameters): string {
  const joins = node.embeds
    .filter(({ restricts }) => restricts)
    .map((embed) => joinSql(node, embed, parameters))
  return ['(select count(*) from', from, ...joins, whereSql(node, parameters, []), ')'].join(' ')
}

function whereSql(node: ReadNode, parameters: StatementParameters, extra: string[]): string {
  const conditions = [
    ...extra,
    ...node.where.map((condition) => conditionSql(condition, node.source, parameters)),
  ]
  return conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
}

function orderSql(node: ReadNode, parameters: StatementParameters): string {
  if (node.order.length === 0) return ''
  const terms = node.order.map(({ term, embed }) => {
    const field = embed
      ? `${name(embed.alias)}.${name(orderName(embed.ordering.indexOf(term.field)))}`
      : fieldSql(node.source, term.field, parameters)
    return `${field}${term.descending ? ' desc' : ''}${term.nulls ? ` nulls ${term.nulls}` : ''}`
  })
  return `order by ${terms.join(', ')}`
}

const orderName = (index: number) => `pgrst_order_${index}`

function outputSql(node: ReadNode, output: Output, parameters: StatementParameters): string {
  const { alias } = node.source
  if (output.kind === 'all') return `${name(alias)}.*`
  if (output.kind === 'column') {
    const field = fieldSql(node.source, output.field, parameters)
    const value = output.cast === undefined ? field : `cast(${field} as ${typeName(output.cast)})`
    return `${value} as ${name(output.as)}`
  }
  const { embed, as } = output
  if (embed.item.spread) {
    return outputNames(embed.node)
      .map((column) => `${name(embed.alias)}.${name(column)}`)
      .join(', ')
  }
  if (embed.relationship.kind === 'many') return `coalesce(${name(embed.alias)}."rows", '[]') as ${name(as)}`
  return `${objectSql(embed)} as ${name(as)}`
}

/** Writes an embedded row as a JSON object, without columns used only for ordering or filtering. */
function objectSql(embed: Embed): string {
  const row = `${name(embed.alias)}.*`
  if (embed.ordering.length === 0) return `row_to_json(${row})`
  const pairs = outputNames(embed.node).map(
    (column) => `${constant(column)}, ${name(embed.alias)}.${name(column)}`,
  )
  return `case when ${row} is distinct from null then json_build_object(${pairs.join(', ')}) end`
}

function outputNames(node: ReadNode): string[] {
  return node.outputs.flatMap((output) => {
    if (output.kind === 'all') return [...node.source.columns]
    if (output.kind === 'embed' && output.embed.item.spread) return outputNames(output.embed.node)
    return [output.as]
  })
}

/** Writes the relation's rows that belong to the parent's row, as a lateral join. */
function joinSql(parent: ReadNode, embed: Embed, parameters: StatementParameters): string {
  const { node, relationship, item } = embed
  const own = node.source.alias
  const { target, junction, pairs, routine } = relationship
  const through = `${own}_via`
  const near = junction ? through : own
  const belongs = [
    ...pairs.map(
      ([outer, inner]) => `${name(near)}.${name(inner)} = ${name(parent.source.alias)}.${name(outer)}`,
    ),
    ...(junction?.pairs ?? []).map(
      ([far, middle]) => `${name(through)}.${name(middle)} = ${name(own)}.${name(far)}`,
    ),
  ]
  const row = `${name(parent.source.alias)}::${routine?.of ? qualified(routine.of.schema, routine.of.name) : ''}`
  const rows = routine
    ? `${qualified(routine.schema, routine.name)}(${row})`
    : qualified(target.schema, target.name)
  const tables = [
    `${rows} as ${name(own)}`,
    ...(junction ? [`${qualified(junction.table.schema, junction.table.name)} as ${name(through)}`] : []),
  ]
  const join = item.inner ? 'inner' : 'left'
  const lateral = (rows: string, on: string) =>
    `${join} join lateral (${rows}) as ${name(embed.alias)} on ${on}`
  const asked = { from: tables.join(' cross join '), parameters, conditions: belongs }
  if (relationship.kind === 'many') {
    const rows = `select json_agg(${ROW}.*) as "rows" from (${rowsSql(node, asked)}) as ${ROW}`
    return lateral(rows, item.inner ? `${name(embed.alias)}."rows" is not null` : 'true')
  }
  const outputs = embed.ordering.map(
    (field, index) => `${fieldSql(node.source, field, parameters)} as ${name(orderName(index))}`,
  )
  // A relation without selected columns still needs one, to tell a missing row from an empty one.
  if (node.outputs.length === 0) outputs.push('true as "found"')
  return lateral(rowsSql(node, { ...asked, outputs }), 'true')
}
