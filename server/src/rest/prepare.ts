// Compiles the shape of a request to a statement that serves all requests of that shape.
import { RestError } from './errors.ts'
import {
  appliedPreferences,
  type Media,
  type Preferences,
  parseAccept,
  parsePrefer,
} from './parse/headers.ts'
import type { LiftedQuery } from './parse/lift.ts'
import type { Payload } from './parse/payload.ts'
import { parseQuery, type Query } from './parse/query.ts'
import type { Page } from './parse/window.ts'
import { planCall } from './plan/call.ts'
import { planRead } from './plan/read.ts'
import { planDelete, planInsert, planUpdate } from './plan/write.ts'
import type { Schema, Table } from './schema.ts'
import { type Compiled, compile, type Form, type Plan } from './sql/statement.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'

export interface RestRequest {
  method: Method
  target: { kind: 'table' | 'routine'; schema: string; name: string }
  query: LiftedQuery
  prefer: string
  accept: string
  /** Undefined for methods without a body. */
  payload: Payload | undefined
  page: Page
}

/** The part of a request that does not depend on its values. */
export interface Prepared extends Compiled {
  action: Plan['action']
  readOnly: boolean
  /** True if the number of rows can show that the request must be refused. */
  refusable: boolean
  media: Media
  prefer: Preferences
  applied: string
  /** The kind of body: rows, a function's value, or none. */
  body: 'rows' | 'value' | 'none'
  /** True if the response is part of a longer list. */
  paged: boolean
  /** True for an upsert, whose rows may already exist. */
  merges: boolean
}

const SAFE: readonly Method[] = ['GET', 'HEAD']

export function prepare(request: RestRequest, schema: Schema, maxRows: number): Prepared {
  const media = parseAccept(request.accept)
  const prefer = parsePrefer(request.prefer)
  const readArguments = request.target.kind === 'routine' && SAFE.includes(request.method)
  const query = parseQuery(request.query.parts, { readArguments })
  const plan = planOf(request, { schema, query, prefer, maxRows })
  const counted = prefer.count !== undefined
  const isUpsert = plan.action === 'insert' && plan.upserts
  const reads = plan.action === 'read' || plan.action === 'call'
  const form: Form = {
    bodiless: request.method === 'HEAD',
    singular: media.singular,
    stripNulls: media.stripNulls,
    counted: counted && reads,
    page: reads ? request.page : undefined,
  }
  return {
    ...compile(plan, form),
    action: plan.action,
    readOnly: SAFE.includes(request.method) || (plan.action === 'call' && !plan.routine.volatile),
    refusable: media.singular || counted || prefer.maxAffected !== undefined,
    media,
    prefer,
    applied: appliedPreferences(
      prefer,
      APPLICABLE[plan.action].filter((name) => name !== 'resolution' || isUpsert),
    ),
    body: bodyOf(plan),
    paged: plan.action === 'read' || (plan.action === 'call' && plan.routine.set),
    merges: plan.action === 'insert' && plan.merges,
  }
}

const APPLICABLE: Record<Plan['action'], readonly (keyof Preferences)[]> = {
  read: ['count', 'handling'],
  insert: ['resolution', 'missing', 'return', 'count', 'handling'],
  update: ['missing', 'return', 'count', 'handling', 'maxAffected'],
  delete: ['return', 'count', 'handling', 'maxAffected'],
  call: ['count', 'handling', 'maxAffected'],
}

function bodyOf(plan: Plan): Prepared['body'] {
  if (plan.action === 'read') return 'rows'
  if (plan.action !== 'call') return plan.back ? 'rows' : 'none'
  if (plan.routine.returns === 'void') return 'none'
  return plan.routine.set ? 'rows' : 'value'
}

interface Known {
  schema: Schema
  query: Query
  prefer: Preferences
  maxRows: number
}

function planOf(request: RestRequest, known: Known): Plan {
  const { target, method, payload } = request
  if (target.kind === 'routine') {
    if (method === 'PATCH' || method === 'DELETE') {
      throw new RestError('PGRST101', `Cannot use the ${method} method on RPC`)
    }
    return planCall({ ...known, routines: target, keys: payload?.keys })
  }
  const table = known.schema.table(target.schema, target.name) ?? refuseTable(target)
  if (method === 'DELETE') return planDelete({ ...known, table })
  if (method === 'POST' && payload) return planInsert({ ...known, table }, payload)
  if (method === 'PATCH' && payload) return planUpdate({ ...known, table }, payload)
  return planTable(known, table)
}

function planTable({ query, ...known }: Known, table: Table): Plan {
  const source = { alias: table.name, table, columns: [...table.columns.keys()] }
  const select = query.select.length > 0 ? query.select : [{ kind: 'all' } as const]
  return {
    action: 'read',
    table,
    read: planRead({ ...query, select }, { ...known, source, readBack: false }),
  }
}

function refuseTable({ schema, name }: { schema: string; name: string }): never {
  throw new RestError('PGRST205', `Could not find the table '${schema}.${name}' in the schema cache`)
}
