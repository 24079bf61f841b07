// Conditions and fields as SQL.
import type { Test } from '../parse/condition.ts'
import type { Field } from '../parse/field.ts'
import { OPERATORS, SEARCHES } from '../parse/operators.ts'
import type { Embed, PlannedCondition, Source } from '../plan/read.ts'
import { name, type StatementParameters } from './text.ts'

/** The alias and table of the rows that have a field. */
export type Rows = Pick<Source, 'alias' | 'table'>

const typeOf = ({ table }: Rows, column: string) => table?.columns.get(column)?.type

/** Writes a field: `"t"."data" -> 'a' ->> 'b'`, with the keys as parameters. Arrays and composites are read as JSON. */
export function fieldSql(rows: Rows, { column, path }: Field, parameters: StatementParameters): string {
  const steps = path.map(({ key, asText }) => {
    const place =
      typeof key === 'number' ? `${parameters.text(String(key))}::int` : `${parameters.text(key)}::text`
    return `${asText ? '->>' : '->'} ${place}`
  })
  const base = `${name(rows.alias)}.${name(column)}`
  if (steps.length === 0) return base
  const json = /^jsonb?$/.test(typeOf(rows, column) ?? '') ? base : `to_jsonb(${base})`
  return `(${json} ${steps.join(' ')})`
}

export function conditionSql(
  condition: PlannedCondition,
  rows: Rows,
  parameters: StatementParameters,
): string {
  if (condition.kind === 'group') {
    const members = condition.of.map((member) => conditionSql(member, rows, parameters))
    return negated(condition.not, `(${members.join(condition.and ? ' and ' : ' or ')})`)
  }
  if (condition.kind === 'found') return foundSql(condition)
  const field = fieldSql(rows, condition.field, parameters)
  const type = typeOf(rows, condition.field.column)
  return negated(condition.not, testSql(field, condition.test, type, parameters))
}

function foundSql({ embed, not }: { embed: Embed; not: boolean }): string {
  const joined = name(embed.alias)
  if (embed.relationship.kind === 'many') return `${joined}."rows" is ${not ? '' : 'not '}null`
  return `${joined}.* is ${not ? 'not ' : ''}distinct from null`
}

function testSql(
  field: string,
  test: Test,
  type: string | undefined,
  parameters: StatementParameters,
): string {
  if (test.kind === 'is') return `${field} is ${test.state}`
  const value = parameters.bind(test.operand)
  if (test.kind === 'search') {
    const language = test.language === undefined ? '' : `${parameters.text(test.language)}::regconfig, `
    const searched = type === undefined || type === 'tsvector' ? field : `to_tsvector(${language}${field})`
    return `${searched} @@ ${SEARCHES.get(test.operator)}(${language}${value})`
  }
  const { sql } = OPERATORS.get(test.operator) ?? { sql: '=' }
  if (test.quantifier) return `${field} ${sql} ${test.quantifier} (${value})`
  return test.operator === 'in' ? `${field} = any (${value})` : `${field} ${sql} ${value}`
}

const negated = (not: boolean, sql: string) => (not ? `not (${sql})` : sql)
