// Makes comparisons that only Postgres can make, with casts of the values and the type's own operator.
import { type Database, DatabaseError, type Row, type Statement } from '#db/database.ts'
import type { Column } from './catalogue.ts'
import { InvalidFilter, type Operator, SQL_OPERATOR } from './filters.ts'

export interface Comparison {
  sqlType: string
  operator: Operator
  /** JSON texts, as to_jsonb prints values of the type. */
  left: string
  right: string
}

export const comparisonName = ({ sqlType, operator, left, right }: Comparison) =>
  JSON.stringify([sqlType, operator, left, right])

// Types from extensions have their operators in the schema extensions.
const SETTINGS: Statement = {
  text: `select set_config('search_path', 'public, extensions', true), set_config('transaction_read_only', 'on', true)`,
}

/** Returns the keys of the comparisons that are true. */
export async function compare(db: Database, asked: readonly Comparison[]): Promise<Set<string>> {
  const holding = new Set<string>()
  for (const group of groupByStatement(asked).values()) {
    const [{ sqlType, operator }] = group
    const pairs = group.map(({ left, right }) => `{"l":${left},"r":${right}}`)
    const rows = await run(db, {
      text: `select n from rows from (jsonb_to_recordset($1::jsonb) as (l ${sqlType}, r ${sqlType}))
        with ordinality as pair (l, r, n) where l ${SQL_OPERATOR[operator]} r`,
      values: [`[${pairs.join(',')}]`],
    })
    for (const { n } of rows) {
      const held = group[Number(n) - 1]
      if (held) holding.add(comparisonName(held))
    }
  }
  return holding
}

/**
 * Casts a filter's values to the column's type and checks that the type has the operator. Returns JSON texts, in order.
 * Throws InvalidFilter if Postgres refuses.
 */
export async function castValues(
  db: Database,
  { sqlType }: Column,
  operator: Operator,
  values: readonly string[],
): Promise<string[]> {
  const statement = {
    text: `select to_jsonb(v::${sqlType})::text as value, v::${sqlType} ${SQL_OPERATOR[operator]} v::${sqlType} as proof
      from jsonb_array_elements_text($1::jsonb) with ordinality as given (v, n) order by n`,
    values: [JSON.stringify(values)],
  }
  const rows = await run(db, statement).catch((error: unknown) => {
    throw isRefusal(error) ? new InvalidFilter(error.message) : error
  })
  return rows.map(({ value }) => String(value))
}

type NonEmpty<T> = [T, ...T[]]

function groupByStatement(asked: readonly Comparison[]): Map<string, NonEmpty<Comparison>> {
  const groups = new Map<string, NonEmpty<Comparison>>()
  for (const one of asked) {
    const name = `${one.operator} ${one.sqlType}`
    const group = groups.get(name)
    if (group) group.push(one)
    else groups.set(name, [one])
  }
  return groups
}

async function run(db: Database, statement: Statement): Promise<Row[]> {
  const [, rows = []] = await db.batch([SETTINGS, statement])
  return rows
}

// True for invalid data, a missing operator, or a domain constraint.
function isRefusal(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && /^(22|42|23)/.test(error.code)
}
