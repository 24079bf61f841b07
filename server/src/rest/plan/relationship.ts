// Finds the relationship between an embedded relation and the table it is embedded in.
import { RestError } from '../errors.ts'
import type { ForeignKey, Routine, Schema, Table } from '../schema.ts'

/** Pairs of columns that must be equal: the parent's or target's first, then the other side's. */
export type Pairs = readonly (readonly [string, string])[]

export interface Relationship {
  target: Table
  /** Says whether a row of the parent has at most one related row, or any number. */
  kind: 'one' | 'many'
  /** From parent column to target column, or to the junction's column if there is a junction. */
  pairs: Pairs
  junction: { table: Table; pairs: Pairs } | undefined
  /** The function that computes the related rows from a row of the parent. */
  routine?: Routine
  /** Hints that select this relationship; error messages suggest the first. */
  hints: readonly string[]
  /** The names that the relationship may have in `select`. */
  names: readonly string[]
  cardinality: 'many-to-one' | 'one-to-one' | 'one-to-many' | 'many-to-many'
  description: string
}

/** Finds the relationship. Throws PGRST200 if there is none, and PGRST201 if there are several. */
export function findRelationship(
  schema: Schema,
  parent: Table,
  name: string,
  hint: string | undefined,
): Relationship {
  // A function takes precedence over tables with its name.
  const routine = schema.computedOf(parent).find((one) => one.name === name)
  if (routine?.table) return computed(routine, routine.table)
  const found = relationshipsOf(schema, parent).filter(
    ({ names, hints }) => names.includes(name) && (hint === undefined || hints.includes(hint)),
  )
  const [first, second] = found
  if (first === undefined) throw notRelated(parent, name, hint)
  if (second) throw ambiguous(parent, name, found)
  return first
}

const computed = (routine: Routine, target: Table): Relationship => ({
  ...{ routine, target, pairs: [], junction: undefined, hints: [], names: [routine.name] },
  kind: routine.single ? 'one' : 'many',
  cardinality: routine.single ? 'many-to-one' : 'one-to-many',
  description: `${routine.name}(${routine.of?.name})`,
})

function relationshipsOf(schema: Schema, parent: Table): Relationship[] {
  const keys = schema.keysOf(parent)
  return [
    ...keys.filter(({ from }) => from === parent).map(toOne),
    ...keys.filter(({ to }) => to === parent).map(fromMany),
    ...keys.filter(({ to }) => to === parent).flatMap((key) => throughJunction(schema, key)),
  ].filter(({ target }) => target.schema === parent.schema)
}

// A table that references itself has two relationships with itself. As in PostgREST, the name decides: the column's
// name means the referenced row, the table's name means the referencing rows.
const isSelf = ({ from, to }: ForeignKey) => from === to

function toOne(key: ForeignKey): Relationship {
  return {
    target: key.to,
    kind: 'one',
    pairs: key.columns.map((column, index) => [column, key.targets[index] ?? ''] as const),
    junction: undefined,
    hints: [key.name, ...only(key.columns), ...only(key.targets)],
    names: isSelf(key)
      ? only(key.columns)
      : [key.to.name, ...(key.to.isView ? [] : [key.name, ...only(key.columns)])],
    cardinality: key.unique ? 'one-to-one' : 'many-to-one',
    description: `${key.name} using ${side(key.from, key.columns)} and ${side(key.to, key.targets)}`,
  }
}

function fromMany(key: ForeignKey): Relationship {
  return {
    target: key.from,
    kind: key.unique ? 'one' : 'many',
    pairs: key.targets.map((target, index) => [target, key.columns[index] ?? ''] as const),
    junction: undefined,
    hints: [key.name, ...only(key.columns), ...(isSelf(key) ? [] : only(key.targets))],
    names: [key.from.name, ...(isSelf(key) || key.from.isView ? [] : [key.name])],
    cardinality: key.unique ? 'one-to-one' : 'one-to-many',
    description: `${key.name} using ${side(key.to, key.targets)} and ${side(key.from, key.columns)}`,
  }
}

/** Finds junctions: a table whose primary key contains two foreign keys connects the tables they reference. */
function throughJunction(schema: Schema, near: ForeignKey): Relationship[] {
  const table = near.from
  return (
    schema
      .keysOf(table)
      .filter((far) => far.from === table && far !== near && far.name !== near.name)
      // A table joined with itself is left out: either of its two keys could be the near one.
      .filter((far) => far.to !== near.to)
      .filter((far) => [...near.columns, ...far.columns].every((column) => table.primaryKey.includes(column)))
      .map((far) => ({
        target: far.to,
        kind: 'many',
        pairs: near.targets.map((target, index) => [target, near.columns[index] ?? ''] as const),
        junction: {
          table,
          pairs: far.targets.map((target, index) => [target, far.columns[index] ?? ''] as const),
        },
        hints: [table.name],
        names: [far.to.name],
        cardinality: 'many-to-many',
        description: `${table.name} using ${near.name}${columns(near.columns)} and ${far.name}${columns(far.columns)}`,
      }))
  )
}

const only = (names: readonly string[]) => (names.length === 1 ? names : [])
const columns = (names: readonly string[]) => `(${names.join(', ')})`
const side = (table: Table, names: readonly string[]) => `${table.name}${columns(names)}`

function notRelated(parent: Table, name: string, hint: string | undefined): RestError {
  const using = hint === undefined ? '' : ` using the hint '${hint}'`
  return new RestError(
    'PGRST200',
    `Could not find a relationship between '${parent.name}' and '${name}' in the schema cache`,
    {
      details: `Searched for a foreign key relationship between '${parent.name}' and '${name}'${using} in the schema '${parent.schema}', but no matches were found.`,
    },
  )
}

function ambiguous(parent: Table, name: string, found: readonly Relationship[]): RestError {
  const choices = found.map(({ hints }) => `'${name}!${hints[0]}'`).join(', ')
  return new RestError(
    'PGRST201',
    `Could not embed because more than one relationship was found for '${parent.name}' and '${name}'`,
    {
      details: found.map(({ cardinality, description, target }) => ({
        cardinality,
        embedding: `${parent.name} with ${target.name}`,
        relationship: description,
      })),
      hint: `Try changing '${name}' to one of the following: ${choices}. Find the desired relationship in the 'details' key.`,
    },
  )
}
