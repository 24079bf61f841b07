// The postgres_changes bindings of a channel: parsed, echoed with an id, and resolved to tables.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Database } from '#db/database.ts'
import type { Catalogue } from './catalogue.ts'
import type { ChangeType } from './changes.ts'
import { type TypedCondition, typeConditions } from './conditions.ts'
import { InvalidFilter, parseFilter } from './filters.ts'

const text = z.string().max(8192)
export const bindingSchema = z.object({
  event: text,
  schema: text.nullish(),
  table: text.nullish(),
  filter: text.nullish(),
})

export type Binding = z.infer<typeof bindingSchema>

export interface Watch {
  id: number
  /** The table, as written by `tableName`. */
  of: string
  types: readonly ChangeType[]
  conditions: readonly TypedCondition[]
}

// Thrown if the binding cannot be served. The message may be shown to the client.
class InvalidBinding extends Error {
  constructor({ event, schema, table, filter }: Binding) {
    const asked = `[event: ${event}, schema: ${schema ?? 'public'}, table: ${table ?? '*'}, filters: [${filter ?? ''}]]`
    super(
      `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: ${asked}`,
    )
  }
}

/** Returns the id of a binding: a positive integer, the same for equal bindings. */
export function bindingId({ event, schema, table, filter }: Binding): number {
  const named = JSON.stringify([event, schema ?? null, table ?? null, filter ?? null])
  return (createHash('sha256').update(named).digest().readUInt32BE() >>> 1) + 1
}

const TYPES: Record<string, readonly ChangeType[]> = {
  '*': ['INSERT', 'UPDATE', 'DELETE'],
  INSERT: ['INSERT'],
  UPDATE: ['UPDATE'],
  DELETE: ['DELETE'],
}

/** The result for a channel's bindings: either all tables are watched or, because of `problem`, none. */
export interface Wish {
  watches: Watch[]
  problem: string | undefined
}

/** Resolves bindings to tables for a role. */
export async function resolveBindings(
  { db, catalogue }: { db: Database; catalogue: Catalogue },
  role: string,
  bindings: readonly Binding[],
): Promise<Wish> {
  try {
    await catalogue.settled()
    const watches = await Promise.all(bindings.map((one) => resolveBinding(db, catalogue, role, one)))
    return { watches: watches.flat(), problem: undefined }
  } catch (error) {
    if (error instanceof InvalidBinding) return { watches: [], problem: error.message }
    throw error
  }
}

// A binding without a table, or with `*`, means every published table of its schema.
async function resolveBinding(
  db: Database,
  catalogue: Catalogue,
  role: string,
  binding: Binding,
): Promise<Watch[]> {
  const types = TYPES[binding.event.toUpperCase()]
  const tables = catalogue.matching(binding.schema ?? 'public', binding.table ?? '*')
  if (!types || tables.length === 0) throw new InvalidBinding(binding)
  try {
    const conditions = binding.filter ? parseFilter(binding.filter) : []
    return await Promise.all(
      tables.map(async (table) => ({
        id: bindingId(binding),
        of: table.of,
        types,
        conditions: await typeConditions(db, table, role, conditions),
      })),
    )
  } catch (error) {
    throw error instanceof InvalidFilter ? new InvalidBinding(binding) : error
  }
}
