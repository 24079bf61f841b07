// Parses a column, or a path within a JSON column: `data->roles->>0`.
import type { Scanner } from './scanner.ts'

export interface JsonStep {
  key: string | number
  /** True for `->>`, which returns the value as text. */
  asText: boolean
}

export interface Field {
  column: string
  path: JsonStep[]
}

const KEY = /[^(\-:.,>)"](?:[^(\-:.,>)"]|-(?!>))*/y
const INDEX = /-?\d+(?=$|->|::|[.,)])/y

export function parseField(scanner: Scanner): Field {
  return { column: scanner.name(), path: parsePath(scanner) }
}

export function parsePath(scanner: Scanner): JsonStep[] {
  const path: JsonStep[] = []
  while (scanner.sees('->')) {
    const asText = scanner.eats('->>')
    if (!asText) scanner.needs('->')
    path.push({ key: parseKey(scanner), asText })
  }
  return path
}

function parseKey(scanner: Scanner): string | number {
  if (scanner.sees('"')) return scanner.quoted()
  const index = scanner.match(INDEX)
  if (index !== undefined) return Number(index)
  return scanner.match(KEY) ?? scanner.fail('a JSON key or index')
}

/** Returns the name that a field without an alias has in the response. */
export function fieldName({ column, path }: Field): string {
  const key = path.findLast((step) => typeof step.key === 'string')?.key
  return typeof key === 'string' ? key : column
}
