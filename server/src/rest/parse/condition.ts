// Parses filters: `eq.5` for a column, and trees such as `or=(a.eq.1,and(b.gt.2,c.is.null))`.
import { RestError } from '../errors.ts'
import { type Field, parseField } from './field.ts'
import { BadList, OPERATORS, SEARCHES, STATES } from './operators.ts'
import { Scanner } from './scanner.ts'

/**
 * A value of a request: a text that belongs to the request's shape, or the slot of a value that varies between
 * requests.
 */
export type Operand = { text: string } | { slot: number }

export type Test =
  | { kind: 'compare'; operator: string; quantifier: 'any' | 'all' | undefined; operand: Operand }
  | { kind: 'is'; state: string }
  | { kind: 'search'; operator: string; language: string | undefined; operand: Operand }

export type Condition =
  | { kind: 'filter'; field: Field; not: boolean; test: Test }
  | { kind: 'group'; and: boolean; not: boolean; of: Condition[] }

const LEADING = /^(?:(not)\.)?([a-z_]+)(?:\((?:(any|all)|([\p{L}\p{N}_$]+))\))?\./u
const EXPECTED = '"not" or operator (eq, gt, ...)'

/** Parses `not.eq.5`. With a slot, `text` ends at the dot after the operator, and the value is in the slot. */
export function parseTest(text: string, slot: number | null): { not: boolean; test: Test } {
  const parsed = readTest(text, slot)
  if (typeof parsed === 'object') return parsed
  const at = Math.min(parsed, text.length)
  const unexpected = at === text.length ? 'end of input' : JSON.stringify(text[at])
  throw new RestError('PGRST100', `"failed to parse filter (${text})" (line 1, column ${at + 1})`, {
    details: `unexpected ${unexpected} expecting ${EXPECTED}`,
  })
}

/** Returns the test, or the position of the first syntax error. */
function readTest(text: string, slot: number | null): { not: boolean; test: Test } | number {
  const head = LEADING.exec(text)
  if (!head) return 0
  const [lead, negation, operator = '', quantifier, language] = head
  const not = negation !== undefined
  const value = text.slice(lead.length)
  const start = not ? 4 : 0
  if (operator === 'is') {
    const state = STATES.get(value.toLowerCase())
    return state && !quantifier && !language ? { not, test: { kind: 'is', state } } : lead.length
  }
  const operand: Operand = slot === null ? { text: value } : { slot }
  if (SEARCHES.has(operator)) {
    if (quantifier) return start
    return { not, test: { kind: 'search', operator, language, operand } }
  }
  const known = OPERATORS.get(operator)
  if (!known || language || (quantifier && !known.quantifiable)) return start
  try {
    if (known.encode && slot === null) (operand as { text: string }).text = known.encode(value)
  } catch (error) {
    if (error instanceof BadList) return lead.length + error.at
    throw error
  }
  const test: Test = {
    kind: 'compare',
    operator,
    quantifier: quantifier as 'any' | 'all' | undefined,
    operand,
  }
  return { not, test }
}

const MOST_DEPTH = 20

/** Parses the parenthesized part of `or=(…)`, `and=(…)`, `not.or=(…)`. */
export function parseTree(text: string, root: { and: boolean; not: boolean }): Condition {
  const scanner = new Scanner(text, 'logic tree')
  const of = parseMembers(scanner, 0)
  scanner.end()
  return { kind: 'group', ...root, of }
}

function parseMembers(scanner: Scanner, depth: number): Condition[] {
  if (depth > MOST_DEPTH) scanner.fail(`at most ${MOST_DEPTH} levels`)
  scanner.needs('(')
  const members: Condition[] = []
  do {
    scanner.match(SPACE)
    members.push(parseMember(scanner, depth))
    scanner.match(SPACE)
  } while (scanner.eats(','))
  scanner.needs(')')
  return members
}

const SPACE = /\s*/y
const GROUP = /(?:not\.)?(?:and|or)\s*(?=\()/y

function parseMember(scanner: Scanner, depth: number): Condition {
  const group = scanner.match(GROUP)?.trimEnd()
  if (group !== undefined) {
    const of = parseMembers(scanner, depth + 1)
    return { kind: 'group', and: group.endsWith('and'), not: group.startsWith('not.'), of }
  }
  const field = parseField(scanner)
  scanner.needs('.')
  const start = scanner.at
  const lead = scanner.match(TREE_LEADING) ?? scanner.fail(EXPECTED)
  const parsed = readTest(lead + readValue(scanner, lead), null)
  if (typeof parsed === 'object') return { kind: 'filter', field, ...parsed }
  scanner.at = Math.min(start + parsed, scanner.text.length)
  return scanner.fail(EXPECTED)
}

const TREE_LEADING = /(?:not\.)?[a-z_]+(?:\([\p{L}\p{N}_$]+\))?\./uy
const LIST = /\((?:"(?:[^"\\]|\\.)*"|[^")])*\)/sy
const ARRAY = /\{[^{}]*\}/y
const QUOTED = /"(?:[^"\\]|\\.)*"(?=[,)])/sy
const BARE = /[^,)]*/y

/** Reads a value in a tree. It ends at the next comma or parenthesis, unless it is a list, an array or quoted. */
function readValue(scanner: Scanner, lead: string): string {
  if (/^(?:not\.)?in\.$/.test(lead)) return scanner.match(LIST) ?? scanner.fail('"("')
  const quoted = scanner.match(QUOTED)
  if (quoted !== undefined) return quoted.slice(1, -1).replace(/\\(.)/gs, '$1')
  return scanner.match(ARRAY) ?? scanner.match(BARE) ?? ''
}
