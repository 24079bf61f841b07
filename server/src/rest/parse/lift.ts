// Separates the shape of a query from its literal values, so that one compiled statement serves all requests of the
// same shape.
import { RestError } from '../errors.ts'
import { BadList, OPERATORS, startsWithOperator } from './operators.ts'

export interface QueryPart {
  key: string
  /** The decoded value. If its end is in a slot, this is only the part up to and including the operator's dot. */
  value: string
  slot: number | null
}

export interface LiftedQuery {
  parts: QueryPart[]
  /** Equal for two queries exactly if they differ only in literals. */
  shape: string
  /** The values of the slots; the first two are reserved, see SLOT. */
  literals: (string | null)[]
  limit: string | undefined
  offset: string | undefined
}

/** Reserved slots of every statement, which are filled before it runs. */
export const SLOT = { body: 0, offset: 1 } as const

// A line break cannot be part of a request line, so no query contains it.
const HOLE = '\n'
const COMPARISON = /^(?:not\.)?(eq|neq|gt|gte|lt|lte|like|ilike|in)\./
const NOT_A_FILTER = /(?:^|\.)(?:select|order|limit|offset|columns|on_conflict|and|or)$/

/**
 * Separates a query string. With `readArguments`, parameters other than filters are function arguments
 * (`/rpc/add?a=1`).
 */
export function liftQuery(query: string, { readArguments }: { readArguments: boolean }): LiftedQuery {
  const lifted: LiftedQuery = {
    parts: [],
    shape: '',
    literals: [null, null],
    limit: undefined,
    offset: undefined,
  }
  if (query === '') return lifted
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const rawKey = equals < 0 ? pair : pair.slice(0, equals)
    const rawValue = equals < 0 ? '' : pair.slice(equals + 1)
    const key = decode(rawKey)
    const value = decode(rawValue)
    // The gateway's parameter, which is not part of the query.
    if (key === 'apikey') continue
    if (key === 'limit' || key === 'offset') {
      lifted[key] = value
      continue
    }
    const kept = lengthOfShape(key, value, readArguments)
    const literal = kept === undefined ? undefined : literalOf(value, kept)
    if (kept === undefined || literal === undefined) {
      lifted.parts.push({ key, value, slot: null })
      lifted.shape += `${pair}&`
    } else {
      lifted.parts.push({ key, value: value.slice(0, kept), slot: lifted.literals.push(literal) - 1 })
      lifted.shape += `${rawKey}=${value.slice(0, kept)}${HOLE}&`
    }
  }
  return lifted
}

/** Returns the length of the value's part that belongs to the shape, or undefined if all of it does. */
function lengthOfShape(key: string, value: string, readArguments: boolean): number | undefined {
  const comparison = COMPARISON.exec(value)
  if (comparison) return NOT_A_FILTER.test(key) ? undefined : comparison[0].length
  if (readArguments && !startsWithOperator(value) && !NOT_A_FILTER.test(key)) return 0
  return undefined
}

function literalOf(value: string, kept: number): string | undefined {
  const text = value.slice(kept)
  const operator = kept === 0 ? undefined : COMPARISON.exec(value)?.[1]
  const encode = operator === undefined ? undefined : OPERATORS.get(operator)?.encode
  if (!encode) return text
  try {
    return encode(text)
  } catch (error) {
    // An invalid list stays in the shape, so that the parser reports the error.
    if (error instanceof BadList) return undefined
    throw error
  }
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new RestError('PGRST100', `"failed to decode the query string (${text})" (line 1, column 1)`, {
      details: 'unexpected percent encoding that is not UTF-8',
    })
  }
}
