// What the planner knows of the database: tables, how they are related, and functions.

export interface Column {
  name: string
  /** As SQL writes it, qualified where it must be. */
  type: string
  /** The SQL of its default, if it has one. */
  default: string | null
}

export interface Table {
  schema: string
  name: string
  columns: ReadonlyMap<string, Column>
  primaryKey: readonly string[]
}

/** A foreign key between two exposed tables. */
export interface ForeignKey {
  name: string
  from: Table
  columns: readonly string[]
  to: Table
  targets: readonly string[]
  /** At most one row of `from` points at a row of `to`. */
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
  /** The table whose rows it returns. */
  table: Table | undefined
  /** The columns of what it returns, when they are known. */
  columns: readonly string[]
}

export interface Schema {
  /** The SQL name of the function that runs before each request, if the project has one. */
  preRequest: string | undefined
  table(schema: string, name: string): Table | undefined
  /** Foreign keys that start or end at the table. */
  keysOf(table: Table): readonly ForeignKey[]
  /** Overloads of a function. */
  routines(schema: string, name: string): readonly Routine[]
}

export const signature = ({ schema, name, parameters }: Routine): string =>
  `${schema}.${name}(${parameters.map(({ name: own, type }) => `${own} => ${type}`).join(', ')})`
