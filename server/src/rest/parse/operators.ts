// Filter operators, with their SQL and the format of their values.

export interface Operator {
  sql: string
  /** Converts the request's text to a text that Postgres can read. Throws if it cannot. */
  encode?: (text: string) => string
  /** True if (any) or (all) may follow the operator. */
  quantifiable?: true
}

// A Map, since keys come from the request: a plain object would find `constructor`.
function table<T>(entries: Record<string, T>): ReadonlyMap<string, T> {
  return new Map(Object.entries(entries))
}

const pattern = (text: string) => text.replaceAll('*', '%')

export const OPERATORS: ReadonlyMap<string, Operator> = table({
  eq: { sql: '=', quantifiable: true },
  neq: { sql: '<>' },
  gt: { sql: '>', quantifiable: true },
  gte: { sql: '>=', quantifiable: true },
  lt: { sql: '<', quantifiable: true },
  lte: { sql: '<=', quantifiable: true },
  like: { sql: 'like', quantifiable: true, encode: pattern },
  ilike: { sql: 'ilike', quantifiable: true, encode: pattern },
  in: { sql: '= any', encode: (text) => arrayLiteral(parseList(text)) },
  isdistinct: { sql: 'is distinct from' },
  cs: { sql: '@>' },
  cd: { sql: '<@' },
  ov: { sql: '&&' },
  sl: { sql: '<<' },
  sr: { sql: '>>' },
  nxr: { sql: '&<' },
  nxl: { sql: '&>' },
  adj: { sql: '-|-' },
})

/** Full-text operators; each may have a language: `fts(english)`. */
export const SEARCHES: ReadonlyMap<string, string> = table({
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
})

/** Values of `is.`, in upper or lower case. */
export const STATES: ReadonlyMap<string, string> = table({
  null: 'null',
  not_null: 'not null',
  true: 'true',
  false: 'false',
  unknown: 'unknown',
})

const FILTER = new RegExp(
  `^(?:not\\.)?(?:${[...OPERATORS.keys(), ...SEARCHES.keys(), 'is'].join('|')})(?:\\([^)]*\\))?\\.`,
)

/** True if a value starts with an operator. Other GET parameters of a function are arguments. */
export const startsWithOperator = (value: string): boolean => FILTER.test(value)

/** Thrown if a text is not a list in parentheses; `at` is the position of the error. */
export class BadList extends Error {
  readonly at: number
  constructor(at: number) {
    super('Not a list')
    this.at = at
  }
}

const BARE = /[^,)]*/y
const QUOTED = /"((?:[^"\\]|\\.)*)"(?=[,)])/sy

/** Splits `(a,"b,c",d)` into its elements; `()` has none. Throws BadList. */
export function parseList(text: string): string[] {
  if (!text.startsWith('(')) throw new BadList(0)
  if (text === '()') return []
  const elements: string[] = []
  let at = 1
  for (;;) {
    QUOTED.lastIndex = at
    const quoted = QUOTED.exec(text)
    if (quoted) {
      elements.push((quoted[1] ?? '').replace(/\\(.)/gs, '$1'))
      at = QUOTED.lastIndex
    } else {
      BARE.lastIndex = at
      const bare = BARE.exec(text)?.[0] ?? ''
      elements.push(bare)
      at += bare.length
    }
    const next = text[at++]
    if (next === ',') continue
    if (next === ')' && at === text.length) return elements
    throw new BadList(Math.min(at - 1, text.length))
  }
}

/** Returns the text of a one-dimensional Postgres array. Every element is quoted, so that none is read as NULL. */
export function arrayLiteral(elements: readonly string[]): string {
  return `{${elements.map((element) => `"${element.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}
