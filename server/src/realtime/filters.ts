// Parses filters of bindings: `column=op.value`, or several such conditions joined by commas, which must all hold.

export interface Condition {
  column: string
  operator: Operator
  /** One value, or for `in` one or more. */
  values: string[]
}

export type Operator = keyof typeof SQL_OPERATOR

/** The SQL operators; `in` means equality with any of its values. */
export const SQL_OPERATOR = { eq: '=', neq: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=', in: '=' } as const

const MAX_IN_VALUES = 100
const MAX_CONDITIONS = 5

export class InvalidFilter extends Error {}

/** Parses a filter; its columns are not checked yet. Throws InvalidFilter. */
export function parseFilter(text: string): Condition[] {
  const parts = splitList(text)
  if (parts.length > MAX_CONDITIONS)
    throw new InvalidFilter(`a filter has at most ${MAX_CONDITIONS} conditions`)
  return parts.map((part) => {
    const [, column = '', operator = '', value = ''] = /^([^=]+)=([a-z]+)\.(.*)$/s.exec(part) ?? []
    if (!isOperator(operator)) throw new InvalidFilter(`not a filter: ${part}`)
    if (operator !== 'in') return { column, operator, values: [unquote(value)] }
    const [, list] = /^\((.+)\)$/s.exec(value) ?? []
    if (list === undefined) throw new InvalidFilter(`in takes a list in parentheses: ${part}`)
    const values = splitList(list).map(unquote)
    if (values.length > MAX_IN_VALUES) throw new InvalidFilter(`in takes at most ${MAX_IN_VALUES} values`)
    return { column, operator, values }
  })
}

function isOperator(name: string): name is Operator {
  return Object.hasOwn(SQL_OPERATOR, name)
}

// Commas inside quotes or parentheses belong to a value.
function splitList(text: string): string[] {
  const parts: string[] = []
  let part = ''
  let depth = 0
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|./gs)) {
    if (token === '(') depth += 1
    else if (token === ')') depth -= 1
    if (token === ',' && depth === 0) {
      parts.push(part)
      part = ''
    } else part += token
  }
  return [...parts, part]
}

function unquote(value: string): string {
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"$/s.exec(value) ?? []
  return quoted === undefined ? value : quoted.replace(/\\(.)/gs, '$1')
}
