// What the planner knows about the database: tables, relationships and functions.

export interface Column {
  name: string
  /** As SQL writes it, qualified if necessary. */
  type: string
  /** The SQL of its default, if it has one. */
  default: string | null
}

export interface Table {
  schema: string
  name: string
  columns: ReadonlyMap<string, Column>
  /** Of a view, the columns that show those of tables. */
  primaryKey: readonly string[]
  isView: boolean
}

/** A foreign key between two exposed tables, or views that show its columns. */
export interface ForeignKey {
  name: string
  from: Table
  columns: readonly string[]
  to: Table
  targets: readonly string[]
  /** Each row of `to` is referenced by at most one row of `from`. */
  unique: boolean
}

export interface Parameter {
  name: string
  type: string
  required: boolean
  variadic: boolean
}

export interface Routine {
  schema: string
  name: string
  parameters: readonly Parameter[]
  /** May write; others run in a read-only transaction. */
  volatile: boolean
  returns: 'void' | 'scalar' | 'row'
  set: boolean
  /** It returns at most one row. */
  single: boolean
  /** The table whose rows it takes one of, as its only argument. */
  of: Table | undefined
  /** The table whose rows it returns. */
  table: Table | undefined
  /** The columns it returns, if known. */
  columns: readonly string[]
}

export interface Schema {
  /** The SQL name of the function that runs before each request, if the project has one. */
  preRequest: string | undefined
  table(schema: string, name: string): Table | undefined
  /** Functions of a row of the table that return related rows. */
  computedOf(table: Table): readonly Routine[]
  /** Foreign keys from or to the table. */
  keysOf(table: Table): readonly ForeignKey[]
  /** Overloads of a function. */
  routines(schema: string, name: string): readonly Routine[]
}

export const signature = ({ schema, name, parameters }: Routine): string =>
  `${schema}.${name}(${parameters.map(({ name: own, type }) => `${own} => ${type}`).join(', ')})`
