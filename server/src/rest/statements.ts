// Caches the statements of recent request shapes until the schema changes.
import { type Prepared, prepare, type RestRequest } from './prepare.ts'
import type { Schema } from './schema.ts'

const MOST = 2_000

export interface Statements {
  /** Returns the statement for this request. Throws the planner's errors. */
  for(request: RestRequest, schema: Schema): Prepared
}

export function createStatements(maxRows: number): Statements {
  // A Map iterates in insertion order, which is all a least-recently-used cache needs.
  const known = new Map<string, Prepared>()
  let of: Schema | undefined
  return {
    for(request, schema) {
      if (of !== schema) known.clear()
      of = schema
      const shape = shapeOf(request)
      const found = known.get(shape)
      if (found) known.delete(shape)
      const prepared = found ?? prepare(request, schema, maxRows)
      known.set(shape, prepared)
      if (known.size > MOST) known.delete(known.keys().next().value as string)
      return prepared
    },
  }
}

// The key is JSON, so that different requests never share one.
function shapeOf({ method, target, query, prefer, accept, payload, page }: RestRequest): string {
  const { kind, schema, name } = target
  return JSON.stringify([
    method,
    kind,
    schema,
    name,
    query.shape,
    prefer,
    accept,
    payload?.keys,
    payload?.rows === 0,
    page.limit,
    page.offset,
  ])
}
