// Builds statements: values become parameters, names are quoted, and nothing from a request becomes SQL.
import { RestError } from '../errors.ts'
import type { Operand } from '../parse/condition.ts'

/** A parameter of a compiled statement: a value, or the number of the slot with the value. */
export type Parameter = number | string

/** Collects the parameters of one statement. */
export class StatementParameters {
  readonly list: Parameter[] = []
  readonly #known = new Map<Operand, string>()

  /** Returns the placeholder of a value. Repeated operands share one. */
  bind(operand: Operand): string {
    const known = this.#known.get(operand)
    if (known !== undefined) return known
    const placeholder = this.#add('slot' in operand ? operand.slot : operand.text)
    this.#known.set(operand, placeholder)
    return placeholder
  }

  text(value: string): string {
    return this.#add(value)
  }

  slot(slot: number): string {
    return this.#add(slot)
  }

  #add(parameter: Parameter): string {
    return `$${this.list.push(parameter)}`
  }
}

/** Returns a quoted identifier. */
export function name(identifier: string): string {
  if (identifier === '') throw new RestError('PGRST100', 'A name cannot be empty')
  if (identifier.includes('\0')) throw new RestError('PGRST100', 'A name cannot hold a null character')
  return `"${identifier.replaceAll('"', '""')}"`
}

export const qualified = (schema: string, identifier: string): string => `${name(schema)}.${name(identifier)}`

/** Returns a text literal, for example for names in json_build_object. */
export const constant = (text: string): string =>
  `${text.includes('\\') ? ' E' : ''}'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

// Type names from SQL itself, which would not be found if quoted.
const SQL_TYPES = new Set(
  `int integer bigint smallint real decimal numeric boolean char character varchar bit interval json
  time timestamp float text`.split(/\s+/),
)
const SPACED_TYPE =
  /^(?:double precision|character varying|bit varying|timestamp (?:with|without) time zone|time (?:with|without) time zone)$/

/** Returns the SQL type of a cast in the request. */
export function typeName(text: string): string {
  const array = text.endsWith('[]')
  const bare = (array ? text.slice(0, -2) : text).trim().replace(/\s+/g, ' ')
  const lower = bare.toLowerCase()
  const written = SQL_TYPES.has(lower) || SPACED_TYPE.test(lower) ? lower : name(bare)
  return array ? `${written}[]` : written
}
