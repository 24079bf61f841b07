// Plans a function call: chooses the overload that takes exactly the given arguments.
import { RestError } from '../errors.ts'
import type { Operand } from '../parse/condition.ts'
import type { Preferences } from '../parse/headers.ts'
import type { Query } from '../parse/query.ts'
import { type Parameter, type Routine, type Schema, signature } from '../schema.ts'
import { planRead, type ReadNode } from './read.ts'

export interface CallPlan {
  action: 'call'
  routine: Routine
  arguments: Arguments
  /** The plan for reading the function's rows; undefined if it returns a value. */
  read: ReadNode | undefined
}

export type Arguments =
  /** Arguments by name from the JSON body. */
  | { from: 'body'; parameters: Parameter[] }
  /** The whole body as the single unnamed argument. */
  | { from: 'whole body'; parameter: Parameter }
  /** Arguments by name from the query string; only a variadic one has several operands. */
  | { from: 'query'; values: { parameter: Parameter; operands: Operand[] }[] }

export interface CallWish {
  schema: Schema
  routines: { schema: string; name: string }
  query: Query
  prefer: Preferences
  /** Keys of the body; undefined if the arguments are in the query string. */
  keys: readonly string[] | undefined
  maxRows: number
}

export function planCall(wish: CallWish): CallPlan {
  const { schema, query } = wish
  const names = wish.keys ? (query.columns ?? wish.keys) : [...query.args.keys()]
  const overloads = schema.routines(wish.routines.schema, wish.routines.name)
  const fitting = overloads.filter(({ parameters }) => fits(parameters, names))
  const [routine, second] = fitting
  if (second) throw tied(fitting)
  if (routine === undefined) {
    const [unnamed, another] = wish.keys ? overloads.filter(takesWholeBody) : []
    const [parameter] = unnamed?.parameters ?? []
    if (unnamed && another) throw tied([unnamed, another])
    if (!unnamed || !parameter) throw unknown(wish, names)
    return complete(unnamed, { from: 'whole body', parameter }, wish)
  }
  const given = routine.parameters.filter(({ name }) => names.includes(name))
  if (wish.keys) return complete(routine, { from: 'body', parameters: given }, wish)
  const values = given.flatMap((parameter) => {
    const all = query.args.get(parameter.name) ?? []
    return all.length > 0 ? [{ parameter, operands: parameter.variadic ? all : all.slice(-1) }] : []
  })
  return complete(routine, { from: 'query', values }, wish)
}

function complete(routine: Routine, args: Arguments, { schema, query, prefer, maxRows }: CallWish): CallPlan {
  // The number of rows that a function without a result set affects is unknown.
  if (!routine.set && prefer.handling === 'strict' && prefer.maxAffected !== undefined) {
    throw new RestError(
      'PGRST128',
      'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
    )
  }
  const plan = { action: 'call', routine, arguments: args } as const
  if (routine.returns !== 'row') return { ...plan, read: undefined }
  const source = { alias: routine.name, table: routine.table, columns: routine.columns }
  const select = query.select.length > 0 ? query.select : [{ kind: 'all' } as const]
  return { ...plan, read: planRead({ ...query, select }, { schema, source, readBack: false, maxRows }) }
}

function fits(parameters: readonly Parameter[], names: readonly string[]): boolean {
  return (
    names.every((name) => name !== '' && parameters.some((parameter) => parameter.name === name)) &&
    parameters.every(({ name, required }) => !required || names.includes(name))
  )
}

function takesWholeBody({ parameters }: Routine): boolean {
  const [only] = parameters
  return parameters.length === 1 && only?.name === '' && /^jsonb?$/.test(only.type)
}

function unknown({ routines: { schema, name }, keys }: CallWish, names: readonly string[]): RestError {
  const wanted = `${schema}.${name}`
  const list = [...names].sort().join(', ')
  const given =
    names.length === 0
      ? 'without parameters'
      : `with ${names.length === 1 ? 'parameter' : 'parameters'} ${list}`
  const called = names.length === 0 ? `${wanted} without parameters` : `${wanted}(${list})`
  const orWhole = keys ? ' or with a single unnamed json/jsonb parameter' : ''
  return new RestError('PGRST202', `Could not find the function ${called} in the schema cache`, {
    details: `Searched for the function ${wanted} ${given}${orWhole}, but no matches were found in the schema cache.`,
  })
}

function tied(routines: readonly Routine[]): RestError {
  const fewestFirst = routines.toSorted(
    (one, other) =>
      one.parameters.length - other.parameters.length || (signature(one) < signature(other) ? -1 : 1),
  )
  return new RestError(
    'PGRST203',
    `Could not choose the best candidate function between: ${fewestFirst.map(signature).join(', ')}`,
    {
      hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
    },
  )
}
