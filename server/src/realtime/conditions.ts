// A binding's conditions, prepared for one table: typed operands, and the comparisons that Postgres must make.
import type { Database } from '#db/database.ts'
import type { Column, PublishedTable } from './catalogue.ts'
import { type Comparison, castValues, comparisonName } from './comparisons.ts'
import { type Condition, InvalidFilter, type Operator } from './filters.ts'
import type { Fields } from './json-fields.ts'

export interface TypedCondition {
  column: Column
  operator: Operator
  /** JSON texts as to_jsonb prints them. */
  operands: readonly string[]
}

/** Looks up the columns and casts the values. Throws InvalidFilter, also for columns that the role may not select. */
export async function typeConditions(
  db: Database,
  table: PublishedTable,
  role: string,
  conditions: readonly Condition[],
): Promise<TypedCondition[]> {
  const typed = await Promise.all(
    conditions.map(async ({ column: name, operator, values }) => {
      const column = table.columns.find((one) => one.name === name)
      if (!column?.readers.includes(role)) throw new InvalidFilter(`no column ${name} to filter by`)
      return { column, operator, operands: await castValues(db, column, operator, values) }
    }),
  )
  // Returns a copy, because the array from Promise.all has room for sixteen more elements, and every listener keeps its
  // array.
  return typed.slice()
}

/** Returns comparisons that Postgres must make before the condition can be evaluated on these fields; usually none. */
export function openComparisons(condition: TypedCondition, fields: Fields): Comparison[] {
  const left = fields.get(condition.column.name)
  if (left === undefined || left === 'null' || isJudgedHere(condition)) return []
  return condition.operands.map((right) => toComparison(condition, left, right))
}

/** True if the condition holds, given the comparisons that are true. NULL never matches. */
export function holds(condition: TypedCondition, fields: Fields, held: ReadonlySet<string>): boolean {
  const left = fields.get(condition.column.name)
  if (left === undefined || left === 'null') return false
  if (!isJudgedHere(condition)) {
    return condition.operands.some((right) => held.has(comparisonName(toComparison(condition, left, right))))
  }
  return condition.operands.includes(left) !== (condition.operator === 'neq')
}

/** True if no query is needed, because equal values of the type have equal text. */
export function isJudgedHere({ column, operator }: TypedCondition): boolean {
  return column.exact && (operator === 'eq' || operator === 'neq' || operator === 'in')
}

function toComparison({ column, operator }: TypedCondition, left: string, right: string): Comparison {
  return { sqlType: column.sqlType, operator, left, right }
}
