// Plans a read: a tree of relations with their columns, filters and order, in which all names are resolved.
import { RestError } from '../errors.ts'
import type { Condition, Test } from '../parse/condition.ts'
import { type Field, fieldName } from '../parse/field.ts'
import type { OrderTerm, Query } from '../parse/query.ts'
import type { SelectedRelation, SelectItem } from '../parse/select.ts'
import type { Schema, Table } from '../schema.ts'
import { findRelationship, type Relationship } from './relationship.ts'

/** A source of rows, with its alias in the rest of the statement. */
export interface Source {
  alias: string
  table: Table | undefined
  columns: readonly string[]
}

export interface ReadNode {
  source: Source
  outputs: Output[]
  where: PlannedCondition[]
  order: PlannedOrder[]
  limit: number | undefined
  offset: number | undefined
  embeds: Embed[]
}

export type Output =
  | { kind: 'all' }
  | { kind: 'column'; field: Field; cast: string | undefined; as: string }
  | { kind: 'embed'; embed: Embed; as: string }

export interface Embed {
  item: SelectedRelation
  node: ReadNode
  relationship: Relationship
  /** The alias of the joined rows. */
  alias: string
  /** True if the relation restricts the parent's rows, by `!inner` or by a filter on its existence. */
  restricts: boolean
  /** Columns of this relation by which the parent is ordered. */
  ordering: Field[]
}

export type PlannedCondition =
  | { kind: 'filter'; field: Field; not: boolean; test: Test }
  | { kind: 'found'; embed: Embed; not: boolean }
  | { kind: 'group'; and: boolean; not: boolean; of: PlannedCondition[] }

export interface PlannedOrder {
  term: OrderTerm
  embed: Embed | undefined
}

export interface ReadOptions {
  schema: Schema
  source: Source
  /** True for written rows that are read back, which are not filtered again. */
  readBack: boolean
  maxRows: number
}

export function planRead(query: Query, { schema, source, readBack, maxRows }: ReadOptions): ReadNode {
  const count = { embeds: 0 }
  const root = planNode(query.select, source, { schema, maxRows, count })
  for (const { path, value } of query.limits) nodeAt(root, path).limit = Math.min(value, maxRows)
  for (const { path, value } of query.offsets) nodeAt(root, path).offset = value
  for (const { path, value } of query.conditions) {
    if (readBack && path.length === 0) continue
    const node = nodeAt(root, path)
    node.where.push(planCondition(value, node))
  }
  for (const { path, value } of query.orders) {
    const node = nodeAt(root, path)
    node.order.push(...value.map((term) => planOrder(term, node)))
  }
  return root
}

interface Growth {
  schema: Schema
  maxRows: number
  count: { embeds: number }
}

function planNode(items: readonly SelectItem[], source: Source, growth: Growth): ReadNode {
  const node: ReadNode = {
    source,
    outputs: [],
    where: [],
    order: [],
    limit: undefined,
    offset: undefined,
    embeds: [],
  }
  for (const item of items) {
    if (item.kind === 'all') node.outputs.push(item)
    else if (item.kind === 'column') {
      node.outputs.push({ ...item, as: item.alias ?? fieldName(item.field) })
    } else {
      const embed = planEmbed(item, source, growth)
      node.embeds.push(embed)
      // A relation without outputs at any depth is left out.
      if (embed.node.outputs.length > 0)
        node.outputs.push({ kind: 'embed', embed, as: item.alias ?? item.name })
    }
  }
  return node
}

function planEmbed(item: SelectedRelation, parent: Source, growth: Growth): Embed {
  const relationship = parent.table
    ? findRelationship(growth.schema, parent.table, item.name, item.hint)
    : refuseRelation(parent, item.name)
  const { target, kind } = relationship
  if (item.spread && kind === 'many') {
    throw new RestError('PGRST119', `A spread operation on '${item.name}' is not possible`, {
      details: `'${parent.alias}' and '${item.name}' do not form a many-to-one or one-to-one relationship`,
    })
  }
  growth.count.embeds += 1
  const number = growth.count.embeds
  // Postgres truncates names at 63 bytes, so the table's name is shortened to keep the number.
  const source = {
    alias: `${target.name.slice(0, 12)}_${number}`,
    table: target,
    columns: [...target.columns.keys()],
  }
  const node = planNode(item.items, source, growth)
  if (kind === 'one' && relationship.routine) node.limit = 1
  if (kind === 'many' && Number.isFinite(growth.maxRows)) node.limit = growth.maxRows
  return { item, node, relationship, alias: `pgrst_${number}`, restricts: item.inner, ordering: [] }
}

function refuseRelation(parent: Source, name: string): never {
  throw new RestError(
    'PGRST200',
    `Could not find a relationship between '${parent.alias}' and '${name}' in the schema cache`,
  )
}

const embedNamed = ({ embeds }: Pick<ReadNode, 'embeds'>, name: string) =>
  embeds.find(({ item }) => name === (item.alias ?? item.name))

/** Finds an embedded relation by alias or, as in PostgREST, by its name, unless another relation has that as alias. */
function nodeAt(root: ReadNode, path: readonly string[]): ReadNode {
  return path.reduce((node, name) => {
    const embed = embedNamed(node, name) ?? node.embeds.find(({ item }) => item.name === name)
    return embed?.node ?? refuseNotEmbedded(name)
  }, root)
}

function refuseNotEmbedded(name: string): never {
  throw new RestError('PGRST108', `'${name}' is not an embedded resource in this request`, {
    hint: `Verify that '${name}' is included in the 'select' query parameter.`,
  })
}

function planOrder(term: OrderTerm, node: ReadNode): PlannedOrder {
  if (term.relation === undefined) return { term, embed: undefined }
  const embed = embedNamed(node, term.relation) ?? refuseNotEmbedded(term.relation)
  if (embed.relationship.kind === 'many') {
    throw new RestError('PGRST118', `A related order on '${term.relation}' is not possible`, {
      details: `'${node.source.alias}' and '${term.relation}' do not form a many-to-one or one-to-one relationship`,
    })
  }
  embed.ordering.push(term.field)
  return { term, embed }
}

/** Resolves a condition on a column of the node; `is.null` on an embedded relation tests its existence. */
export function planCondition(
  condition: Condition,
  node: Pick<ReadNode, 'source' | 'embeds'>,
): PlannedCondition {
  if (condition.kind === 'group') {
    return { ...condition, of: condition.of.map((member) => planCondition(member, node)) }
  }
  const { field, not, test } = condition
  const embed = embedNamed(node, field.column)
  if (!embed || field.path.length > 0) return condition
  if (test.kind !== 'is' || !test.state.endsWith('null')) {
    // Embedded rows may have the name of the column that references them.
    if (node.source.columns.includes(field.column)) return condition
    throw new RestError('PGRST120', 'Bad operator on the embedded resource', {
      details: `Only is null or not is null filters are allowed on embedded resources`,
    })
  }
  embed.restricts = true
  return { kind: 'found', embed, not: not === (test.state === 'not null') }
}
