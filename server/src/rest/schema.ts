// The planner's model of the database: tables, relationships and functions.

export interface Column {
  name: string
  /** The type in SQL, qualified if necessary. */
  type: string
  /** The SQL of the column's default, if any. */
  default: string | null
}

export interface Table {
  schema: string
  name: string
  columns: ReadonlyMap<string, Column>
  /** For a view, the columns that show the primary keys of tables. */
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
  /** True if at most one row of `from` references each row of `to`. */
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
  /** True if the function may write; others run in a read-only transaction. */
  volatile: boolean
  returns: 'void' | 'scalar' | 'row'
  set: boolean
  /** True if the function returns at most one row. */
  single: boolean
  /** The table of which the function takes one row as its only argument. */
  of: Table | undefined
  /** The table whose rows the function returns. */
  table: Table | undefined
  /** The returned columns, if known. */
  columns: readonly string[]
}

export interface Schema {
  /** The SQL name of the function that runs before each request, if the project has one. */
  preRequest: string | undefined
  table(schema: string, name: string): Table | undefined
  /** Functions that return related rows for a row of the table. */
  computedOf(table: Table): readonly Routine[]
  /** Foreign keys from or to the table. */
  keysOf(table: Table): readonly ForeignKey[]
  /** Overloads of a function. */
  routines(schema: string, name: string): readonly Routine[]
}

export const signature = ({ schema, name, parameters }: Routine): string =>
  `${schema}.${name}(${parameters.map(({ name: own, type }) => `${own} => ${type}`).join(', ')})`
