// Renders the type `Database` for supabase-js from a description of the schema.
import type {
  ArgumentDescription,
  ColumnDescription,
  FunctionDescription,
  SchemaDescription,
  TableDescription,
} from './schema-description.ts'

const TYPES: Record<string, string> = {
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  numeric: 'number',
  bool: 'boolean',
  json: 'Json',
  jsonb: 'Json',
  void: 'undefined',
  ...Object.fromEntries(
    ['text', 'varchar', 'bpchar', 'citext', 'uuid', 'date', 'time', 'timestamptz', 'timestamp', 'bytea'].map(
      (name) => [name, 'string'],
    ),
  ),
}

const NONE = '{ [_ in never]: never }'

/** Returns the contents of database.types.ts. Types that are not listed above become `unknown`. */
export function renderTypes({ tables, functions }: SchemaDescription): string {
  return `// Generated from the migrations by \`npm run types\`. Do not edit.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  public: {
    Tables: {
${tables.map(renderTable).join('\n')}
    }
    Views: ${NONE}
    Functions: {
${functions.map(renderFunction).join('\n')}
    }
    Enums: ${NONE}
    CompositeTypes: ${NONE}
  }
}
`
}

function renderTable(table: TableDescription): string {
  const fields = (describe: (column: ColumnDescription) => string) =>
    table.columns.map((column) => `          ${describe(column)}`).join('\n')
  const value = (column: ColumnDescription) => {
    const type = choicesOf(column.name, table.checks) ?? typeOf(column.type)
    return column.nullable ? `${type} | null` : type
  }
  return `      ${table.name}: {
        Row: {
${fields((column) => `${column.name}: ${value(column)}`)}
        }
        Insert: {
${fields((column) =>
  column.generated
    ? `${column.name}?: never`
    : `${column.name}${column.optional || column.nullable ? '?' : ''}: ${value(column)}`,
)}
        }
        Update: {
${fields((column) => (column.generated ? `${column.name}?: never` : `${column.name}?: ${value(column)}`))}
        }
        Relationships: [${table.relationships
          .map(
            (to) => `
          {
            foreignKeyName: '${to.name}'
            columns: ${tuple(to.columns)}
            isOneToOne: ${to.one_to_one}
            referencedRelation: '${to.table}'
            referencedColumns: ${tuple(to.target_columns)}
          },`,
          )
          .join('')}${table.relationships.length > 0 ? '\n        ' : ''}]
      }`
}

function renderFunction(described: FunctionDescription): string {
  const given = described.arguments.filter(({ mode }) => mode === 'i')
  const args = given.length === 0 ? 'never' : `{ ${given.map(renderArgument).join('; ')} }`
  const setof =
    described.returns_table === null
      ? ''
      : `
        SetofOptions: { from: '*'; to: '${described.returns_table}'; isOneToOne: ${!described.returns_set}; isSetofReturn: ${described.returns_set} }`
  return `      ${described.name}: {
        Args: ${args}
        Returns: ${returnsOf(described)}${setof}
      }`
}

// An argument is certain to accept null only if its default is null.
function renderArgument({ name, type, default: value }: ArgumentDescription): string {
  const orNull = value?.startsWith('NULL') ? ' | null' : ''
  return `${name}${value === null ? '' : '?'}: ${typeOf(type)}${orNull}`
}

function returnsOf({ arguments: args, returns, returns_set, returns_table }: FunctionDescription): string {
  const columns = args.filter(({ mode }) => mode === 't')
  const row =
    columns.length > 0
      ? `{ ${columns.map(({ name, type }) => `${name}: ${typeOf(type)}`).join('; ')} }`
      : returns_table === null
        ? typeOf(returns)
        : `Database['public']['Tables']['${returns_table}']['Row']`
  return returns_set ? `${row}[]` : row
}

function typeOf(type: string): string {
  if (type.startsWith('_')) return `${typeOf(type.slice(1))}[]`
  return TYPES[type] ?? 'unknown'
}

const tuple = (names: string[]) => `[${names.map((name) => `'${name}'`).join(', ')}]`

/** Returns the union of the literals that a check allows: `CHECK ((status = ANY (ARRAY['a'::text, 'b'::text])))`. */
export function choicesOf(column: string, checks: readonly string[]): string | undefined {
  const list = checks
    .map((check) => /^CHECK \(\(\(?"?(\w+)"?\)? = ANY \(ARRAY\[(.*)\]\)\)\)$/.exec(check))
    .find((match) => match?.[1] === column)?.[2]
  if (list === undefined) return undefined
  return list
    .split(', ')
    .map((choice) => choice.replace(/::\w+$/, ''))
    .join(' | ')
}
