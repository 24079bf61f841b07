// The call of a function as SQL: what stands in FROM.
import { SLOT } from '../parse/lift.ts'
import type { Arguments, CallPlan } from '../plan/call.ts'
import type { Parameter } from '../schema.ts'
import { name, type Parameters, qualified } from './text.ts'

/** The name of a function's value, where it returns no row. */
export const VALUE = '"pgrst_call"."value"'

/** The function with its arguments, called by its own name when it returns rows. */
export function callSql({ routine, arguments: args }: CallPlan, parameters: Parameters): string {
  const call = `${qualified(routine.schema, routine.name)}(${argumentsSql(args, parameters)})`
  const alias = routine.returns === 'row' ? name(routine.name) : '"pgrst_call"("value")'
  if (args.from !== 'body' || args.parameters.length === 0) return `${call} as ${alias}`
  const columns = args.parameters.map((parameter) => `${name(parameter.name)} ${parameter.type}`)
  const body = `json_to_record(${parameters.slot(SLOT.body)}::json) as "pgrst_args"(${columns.join(', ')})`
  return `${body} cross join lateral ${call} as ${alias}`
}

function argumentsSql(args: Arguments, parameters: Parameters): string {
  if (args.from === 'whole body') return `${parameters.slot(SLOT.body)}::${args.parameter.type}`
  if (args.from === 'body') {
    return args.parameters
      .map((parameter) => named(parameter, `"pgrst_args".${name(parameter.name)}`))
      .join(', ')
  }
  return args.values
    .map(({ parameter, operand }) => named(parameter, `${parameters.bind(operand)}::${parameter.type}`))
    .join(', ')
}

const named = ({ name: own, variadic }: Parameter, value: string) =>
  `${variadic ? 'variadic ' : ''}${name(own)} => ${value}`
