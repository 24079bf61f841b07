// Says the outcome of a statement in the words that the tables of expected outcomes use.
import type { Outcome } from './attempts.ts'
import type { Key } from './lines.ts'

/** The rows of a named set, as primary keys in JSON text. */
export interface Sets {
  all: readonly string[]
  named: ReadonlyMap<string, readonly string[]>
}

/** Translates outcomes into an answer. `expected` decides which name is used if two sets contain the same rows. */
export type Answer = (outcomes: readonly Outcome[], sets: Sets, expected: string) => string

export const keyText = (key: unknown) =>
  JSON.stringify(Object.entries(key as Key).sort(([a], [b]) => a.localeCompare(b)))

/**
 * Describes the outcome of one statement that selects the keys of all rows: the name of the set of rows that it
 * returned, or the error code if it failed.
 */
export const rowsSeen: Answer = ([outcome], sets, expected) => {
  if (!outcome || 'code' in outcome) return String(outcome?.code)
  return nameOf((outcome.answer as Key[]).map(keyText), sets, expected)
}

/**
 * Describes the outcomes of one select per column, each of which returns the keys of the rows where that column is not
 * null.
 */
export const eachColumn: Answer = (outcomes, sets, expected) =>
  [...new Set(outcomes.map((outcome) => rowsSeen([outcome], sets, expected)))].join(' / ')

/** Describes the outcomes of one statement per row, each of which returns the number of affected rows. */
export const eachRow =
  (keys: readonly Key[]): Answer =>
  (outcomes, sets, expected) => {
    const codes = new Set(outcomes.flatMap((outcome) => ('code' in outcome ? [outcome.code] : [])))
    const reached = keys.filter((_, n) => {
      const outcome = outcomes[n]
      return outcome && 'answer' in outcome && outcome.answer === 1
    })
    const name = nameOf(reached.map(keyText), sets, expected)
    return [...(name === 'none' && codes.size > 0 ? [] : [name]), ...[...codes].sort()].join(', ')
  }

export const columnsTried: Answer = (outcomes) => [...new Set(outcomes.map(wordOf))].sort().join(', ')

/**
 * Describes the outcome of one statement whose result does not matter: the error code if it failed, otherwise 'yes'.
 */
export const done: Answer = ([outcome]) => (outcome ? wordOf(outcome) : 'not tried')

/**
 * Describes the outcome of one function call: the error code if it failed, 'nothing' if it returned nothing, the value
 * if it is a boolean, otherwise 'yes'. The call's result arrives as a list of rows.
 */
export const called: Answer = ([outcome]) => {
  if (!outcome || 'code' in outcome) return String(outcome?.code)
  const [first = null, ...more] = outcome.answer as unknown[]
  if (first === null && more.length === 0) return 'nothing'
  return typeof first === 'boolean' ? String(first) : 'yes'
}

const wordOf = (outcome: Outcome) => ('code' in outcome ? outcome.code : 'yes')

function nameOf(rows: readonly string[], { all, named }: Sets, expected: string): string {
  const same = (other: readonly string[] | undefined) =>
    other?.length === rows.length && rows.every((row) => other.includes(row))
  if (rows.length === 0) return 'none'
  if (same(all)) return 'all'
  const [wanted = ''] = expected.split(', ')
  const name = same(named.get(wanted)) ? wanted : [...named.keys()].find((one) => same(named.get(one)))
  return name ?? `${rows.length} rows without a name: ${rows.join(' ')}`
}
