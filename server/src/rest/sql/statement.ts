// Writes a plan as a single statement, which returns the JSON body as text, the number of rows, and the headers and
// status that the database sets for the response.
import { SLOT } from '../parse/lift.ts'
import type { Page } from '../parse/window.ts'
import type { Arguments, CallPlan } from '../plan/call.ts'
import type { ReadNode } from '../plan/read.ts'
import type { DeletePlan, InsertPlan, UpdatePlan } from '../plan/write.ts'
import type { Routine, Table } from '../schema.ts'
import { pageOfRowsSql, ROW, rowsSql, totalSql } from './read.ts'
import { constant, name, type Parameter, qualified, StatementParameters } from './text.ts'
import { MERGED, SOURCE, writeSql } from './write.ts'

export interface ReadPlan {
  action: 'read'
  table: Table
  read: ReadNode
}

export type Plan = ReadPlan | InsertPlan | UpdatePlan | DeletePlan | CallPlan

/** The requested response format. */
export interface Form {
  /** True for HEAD: everything but the body is returned. */
  bodiless: boolean
  singular: boolean
  stripNulls: boolean
  counted: boolean
  /** The page of rows; undefined for all. */
  page: Page | undefined
}

/** The single row that every statement returns. */
export interface ResultRow {
  body: string | null
  rows: number
  total?: number | null
  merged?: string | null
  location?: string | null
  headers: string | null
  status: string | null
}

export interface Compiled {
  text: string
  parameters: readonly Parameter[]
}

const SAID = `nullif(current_setting('response.headers', true), '') as "headers",
  nullif(current_setting('response.status', true), '') as "status"`

export function compile(plan: Plan, form: Form): Compiled {
  const parameters = new StatementParameters()
  const text = textOf(plan, form, parameters)
  return { text, parameters: parameters.list }
}

function textOf(plan: Plan, form: Form, parameters: StatementParameters): string {
  if (plan.action === 'read') {
    const { schema, name: own } = plan.table
    return selectSql(plan.read, `${qualified(schema, own)} as ${name(own)}`, form, parameters)
  }
  if (plan.action === 'call') return callText(plan, form, parameters)
  return writeText(plan, form, parameters)
}

function selectSql(read: ReadNode, from: string, form: Form, parameters: StatementParameters): string {
  const total = form.counted ? `, ${totalSql(read, from, parameters)} as "total"` : ''
  const rows = pageOfRowsSql(read, from, pageSql(form, parameters), parameters)
  return `select ${bodySql(form)} as "body", count(*)::int as "rows"${total}, ${SAID} from (${rows}) as ${ROW}`
}

function pageSql({ page }: Form, parameters: StatementParameters): string {
  if (!page) return ''
  const limit = page.limit === null ? '' : ` limit ${page.limit}`
  if (page.offset === 0) return limit
  return `${limit} offset ${page.offset ?? parameters.slot(SLOT.offset)}`
}

function bodySql({ bodiless, singular, stripNulls }: Form, row = `${ROW}.*`): string {
  if (bodiless) return 'null'
  const rows = stripNulls ? `json_strip_nulls(json_agg(${row}))` : `json_agg(${row})`
  return singular ? `(${rows} -> 0)::text` : `coalesce(${rows}, '[]')::text`
}

function callText(plan: CallPlan, form: Form, parameters: StatementParameters): string {
  const { routine, read } = plan
  const call = callSql(plan, parameters)
  if (read) {
    const one = routine.set ? form : { ...form, singular: true, page: undefined }
    if (!form.counted) return selectSql(read, call, one, parameters)
    // Materialized, so that counting does not call the function a second time.
    const source = `with ${SOURCE} as materialized (select ${name(read.source.alias)}.* from ${call})`
    return `${source} ${selectSql(read, `${SOURCE} as ${name(read.source.alias)}`, one, parameters)}`
  }
  if (!routine.set) {
    const body = form.bodiless || routine.returns === 'void' ? 'null' : `to_json(${VALUE})::text`
    const total = form.counted ? ', 1 as "total"' : ''
    return `select ${body} as "body", 1 as "rows"${total}, ${SAID} from ${call}`
  }
  const total = form.counted ? `, (select count(*) from ${SOURCE}) as "total"` : ''
  return `with ${SOURCE} as materialized (select ${VALUE} from ${call})
    select ${bodySql(form, `${ROW}."value"`)} as "body", count(*)::int as "rows"${total}, ${SAID}
    from (select "value" from ${SOURCE}${pageSql(form, parameters)}) as ${ROW}`
}

function writeText(
  plan: InsertPlan | UpdatePlan | DeletePlan,
  form: Form,
  parameters: StatementParameters,
): string {
  const source = `with ${SOURCE} as (${writeSql(plan, parameters)})`
  const merged = plan.action === 'insert' && plan.conflict?.merge ? `, ${MERGED} as "merged"` : ''
  if (plan.back) {
    const rows = rowsSql(plan.back, { from: `${SOURCE} as ${name(plan.table.name)}`, parameters })
    return `${source} select ${bodySql(form)} as "body", count(*)::int as "rows"${merged}, ${SAID} from (${rows}) as ${ROW}`
  }
  const location = plan.action === 'insert' && plan.location ? `, ${locationSql(plan)} as "location"` : ''
  return `${source} select null as "body", count(*)::int as "rows"${merged}${location}, ${SAID} from ${SOURCE}`
}

/** Writes the key of the first written row, as an object of strings. */
function locationSql({ table }: InsertPlan): string {
  const pairs = table.primaryKey.map((column) => `${constant(column)}, ${SOURCE}.${name(column)}::text`)
  return `(json_agg(json_build_object(${pairs.join(', ')})) -> 0)::text`
}

/** The column with the value of a function that does not return rows. */
const VALUE = '"pgrst_call"."value"'

/** Writes the call of the function, with the function's own name as alias if it returns rows. */
function callSql({ routine, arguments: args }: CallPlan, parameters: StatementParameters): string {
  const call = `${qualified(routine.schema, routine.name)}(${argumentsSql(args, parameters)})`
  const alias = routine.returns === 'row' ? name(routine.name) : '"pgrst_call"("value")'
  if (args.from !== 'body' || args.parameters.length === 0) return `${call} as ${alias}`
  const columns = args.parameters.map((parameter) => `${name(parameter.name)} ${parameter.type}`)
  const sent = `${parameters.slot(SLOT.body)}::json`
  const first = `case json_typeof(${sent}) when 'array' then ${sent} -> 0 else ${sent} end`
  const body = `json_to_record(${first}) as "pgrst_args"(${columns.join(', ')})`
  return `${body} cross join lateral ${call} as ${alias}`
}

function argumentsSql(args: Arguments, parameters: StatementParameters): string {
  if (args.from === 'whole body') return `${parameters.slot(SLOT.body)}::${args.parameter.type}`
  if (args.from === 'body') {
    return args.parameters
      .map((parameter) => named(parameter, `"pgrst_args".${name(parameter.name)}`))
      .join(', ')
  }
  return args.values
    .map(({ parameter, operands }) => {
      const values = operands.map((operand) => parameters.bind(operand))
      return named(
        parameter,
        parameter.variadic ? listSql(values, parameter.type) : `${values[0]}::${parameter.type}`,
      )
    })
    .join(', ')
}

/** A variadic argument: several values, or a single one that is already a list, as supabase-js sends it. */
function listSql(values: readonly string[], type: string): string {
  const list = `array[${values.map((value) => `${value}::text`).join(', ')}]::${type}`
  const [only, second] = values
  return second ? list : `case when ${only}::text like '{%}' then ${only}::text::${type} else ${list} end`
}

const named = ({ name: own, variadic }: Routine['parameters'][number], value: string) =>
  `${variadic ? 'variadic ' : ''}${name(own)} => ${value}`
