// Renders openapi.json: the calls that tokens may make (private.api_calls), as the database's system catalogue and the
// comments in the schemas describe them. People's programs rely on it, so changes that would break them are refused.
import type { Database } from '@potluck/server/db/database.ts'
import type { LIMITS } from '../functions/_shared/limits.ts'
import { sqlstates } from '../functions/_shared/words/refusals.ts'
import { answersIn } from './answers.ts'
import {
  breaks,
  isSamePromise,
  type OpenApi,
  type Operation,
  type Parameter,
  type Schema,
} from './promise.ts'
import { choicesOf } from './render-types.ts'
import { describeSchema, type FunctionDescription } from './schema-description.ts'
import { textsOf } from './schema-texts.ts'
import type { SchemaFile } from './schemas.ts'

/** Texts of columns and parameters that mean the same everywhere. */
const COMMON: Record<string, string> = {
  id: 'Its id.',
  subscription_id: 'The id of the plan.',
  conversation_id: 'The id of the conversation.',
  seat_id: 'The id of the place.',
  owner_id: 'The id of the plan’s owner.',
  member_id: 'The id of the member.',
  user_id: 'The id of the person.',
  owner_name: 'The owner’s name.',
  member_name: 'The member’s name.',
  avatar_url: 'The address of the person’s picture; null without one.',
  provider: 'The company that sells the plan, such as Netflix.',
  settlement:
    'How it is paid: `direct` to the owner, or `potluck` through the site, which holds the money until it is earned.',
  billing_cycle: 'How often the provider bills.',
  created_at: 'When it was made.',
}

/** Functions whose results have columns with the same names and meanings as those of a table. */
const ALIKE: Record<string, string> = {
  my_seats: 'private.seats',
  plan_seats: 'private.seats',
  get_pending_requests_with_expiry: 'public.subscription_requests',
}

interface Sent {
  does: string
  needed?: string[]
  optional?: string[]
  /** Instead of `optional`: the program may send all columns that a client may write, except these. */
  except?: string[]
  /** The only values a program may send. */
  only?: Record<string, string[]>
}

/** The columns that a program may send to tables; the database fills in all others. */
const SENT: Record<string, Sent> = {
  'POST /shared_subscriptions': {
    does: 'Shares a plan of the catalogue',
    needed: ['catalogue_plan_id', 'next_payment'],
    optional: ['owner_max_members', 'settlement', 'is_private', 'instant_from'],
  },
  'PATCH /shared_subscriptions': {
    does: 'Changes the places, the renewal or who finds and joins a plan of your own',
    optional: ['owner_max_members', 'next_payment', 'is_private', 'instant_from'],
  },
  'POST /subscription_requests': {
    does: 'Asks for a place in a plan whose members pay its owner directly; others are asked for in the app',
    needed: ['subscription_id'],
    except: ['user_id', 'name', 'email', 'status', 'coins_first', 'begins_at_once_at'],
  },
  'PATCH /subscription_requests': {
    does: 'Takes back a request of your own',
    needed: ['status'],
    only: { status: ['cancelled'] },
  },
  'POST /messages': { does: 'Writes a message', needed: ['conversation_id', 'content'] },
}

const TYPES: Record<string, Schema> = {
  int2: { type: 'integer' },
  int4: { type: 'integer' },
  int8: { type: 'integer' },
  numeric: { type: 'number' },
  bool: { type: 'boolean' },
  text: { type: 'string' },
  uuid: { type: 'string', format: 'uuid' },
  date: { type: 'string', format: 'date' },
  timestamptz: { type: 'string', format: 'date-time' },
  jsonb: {},
}

/** The descriptions of token scopes, for openapi.json and docs/api.md. */
const SCOPES: Record<(typeof LIMITS.tokenScopes)[number], string> = {
  'read plans':
    'Read the marketplace, and the person’s plans, places, requests, waiting lists, tasks and notifications.',
  'write plans':
    'Share and change a plan that is paid to its owner, ask for a place in one or cancel the request, approve or reject, join a waiting list, mark as read.',
  'read money': 'Read payments, owners’ payment details, totals and dates, coins, statements and invoices.',
  chat: 'Read and send messages, also to all members at once; drafts.',
  drafts:
    'Read conversations and messages, and leave drafts that the person sends. This scope cannot send: it is for assistants.',
}

/** Replaces the table of scopes in docs/api.md. */
export const withScopes = (page: string): string =>
  page.replace(
    /(?<=\| scope \| calls \|\n\|---\|---\|\n)(\|.*\n)*/,
    Object.entries(SCOPES)
      .map(([scope, text]) => `| ${scope} | ${text} |\n`)
      .join(''),
  )

const about = (
  callsPerMinute: number,
) => `Calls by people’s own programs. A token from *Account Settings → Your data, elsewhere → Programs* acts as its person, within its scopes:

\`\`\`
curl -H "Authorization: Bearer pot_…" "https://your-site/functions/v1/api/rpc/my_seats"
\`\`\`

- Nothing moves money with a token, or begins to, and nothing changes who somebody is.
- Amounts are numbers in EUR with at most two decimals. Times are in UTC, ids are UUIDs, except those of plans.
- Tables are filtered by their columns, such as \`status=eq.pending\`; a change needs at least one filter. Related rows cannot be asked for.
- A program may call ${callsPerMinute} times a minute; what people do seldom has lower limits. 429 says in its message how many seconds to wait.
- The version is the day of the last change. What is here stays: there can be more columns and values, so ignore what you do not know.`

interface Column {
  name: string
  type: string
  nullable: boolean
  readable: boolean
  insertable: boolean
  updatable: boolean
  checks: string[]
}

const COLUMNS = `
  select n.nspname || '.' || c.relname as name, json_agg(json_build_object(
    'name', a.attname, 'type', t.typname, 'nullable', not a.attnotnull,
    'readable', has_column_privilege('authenticated', c.oid, a.attnum, 'select'),
    'insertable', has_column_privilege('authenticated', c.oid, a.attnum, 'insert'),
    'updatable', has_column_privilege('authenticated', c.oid, a.attnum, 'update'),
    'checks', (select coalesce(json_agg(pg_get_constraintdef(k.oid)), '[]') from pg_constraint as k where k.conrelid = c.oid and k.contype = 'c')
  ) order by a.attnum) as columns
  from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
  join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type as t on t.oid = a.atttypid
  where c.relkind = 'r' and n.nspname in ('public', 'private') group by 1`

/**
 * Returns the document. It keeps the version of the promised document, unless it promises more. Throws if it promises
 * less, or if a part of it has no description.
 */
export async function renderOpenApi(
  db: Pick<Database, 'query'>,
  schemas: SchemaFile[],
  promised: OpenApi | undefined,
): Promise<OpenApi> {
  const { functions } = await describeSchema(db)
  const texts = textsOf(schemas)
  const answers = answersIn(schemas)
  const tables = new Map(
    (await db.query<{ name: string; columns: Column[] }>(COLUMNS)).map(({ name, columns }) => [
      name,
      columns,
    ]),
  )
  const calls = await db.query<{ request: string; scopes: string[]; is_volatile: boolean }>(
    `select request, to_json(array_agg(scope order by place)) as scopes, exists (select from pg_proc
       where pronamespace = 'public'::regnamespace and '/rpc/' || proname = split_part(request, ' ', 2) and provolatile = 'v') as is_volatile
     from private.api_calls, array_position($1::text[], scope) as place group by request order by min(place), request`,
    [`{${Object.keys(SCOPES).map((one) => `"${one}"`)}}`],
  )
  const [allowed] = await db.query<{ attempts: number }>(
    `select attempts from private.rate_limits where action = 'token call'`,
  )
  const lacking: string[] = []
  const described = (where: string, text: string | undefined, type?: string) => {
    const said = text?.replaceAll(/ \([^()]*\w[._]\w[^()]*\)/g, '').replaceAll('acting user', 'person')
    if (!said || /private\.\w|\.sql\b/.test(said)) lacking.push(`${where}: ${said || 'no text'}`)
    return type === 'numeric' && !/rate|coin/i.test(where) ? `${said} In EUR.` : (said ?? '')
  }

  function jsonOf(type: string, isNullable: boolean, choices?: string): Schema {
    const schema = type.startsWith('_') ? { type: 'array', items: jsonOf(type.slice(1), false) } : TYPES[type]
    if (!schema) throw new Error(`No type of JSON is known for ${type}`)
    const values: unknown[] | undefined = choices?.split(' | ').map((one) => one.slice(1, -1))
    return {
      ...schema,
      ...(isNullable && schema.type && { type: [schema.type, 'null'].flat() as string[] }),
      ...(values && { enum: isNullable ? [...values, null] : values }),
    }
  }

  function columnOf(table: string, { name, type, nullable, checks }: Column): Schema {
    const where = `${table.replace('public.', '')}.${name}`
    const text = texts.get(`table ${table.split('.')[1]}`)?.parts.get(name) ?? COMMON[name]
    const known = answers[where]
    return {
      ...(known ?? jsonOf(type, nullable, choicesOf(name, checks))),
      description: described(where, text, type),
    }
  }

  const schemasOf: Record<string, Schema> = {
    error: {
      type: 'object',
      description: 'Why something was refused.',
      properties: {
        code: { type: 'string', description: 'A SQLSTATE, or PGRST… for what the Data API refuses.' },
        message: { type: 'string', description: 'A sentence for people, in English.' },
        details: {
          type: ['string', 'null'],
          description: 'JSON of the values in the sentence, and of the columns of a broken constraint.',
        },
        hint: { type: ['string', 'null'], description: 'The key of the refusal, which never changes.' },
      },
      required: ['code', 'message'],
    },
  }
  const row = (
    properties: Record<string, Schema>,
    about: string,
    required = Object.keys(properties),
  ): Schema => ({
    type: 'object',
    description: about,
    properties,
    ...(required.length > 0 && { required }),
  })
  const parameters: Record<string, Parameter> = {
    select: query(
      'select',
      'The names of the columns to answer with, divided by commas; the others are then missing.',
    ),
    order: query(
      'order',
      'The names of columns to sort by, divided by commas, each with `.desc` or `.nullsfirst` if that is meant.',
    ),
    limit: query('limit', 'How many rows at most; 1,000 if not said.', { type: 'integer', minimum: 0 }),
    offset: query('offset', 'How many rows to leave out first.', { type: 'integer', minimum: 0 }),
    or: query('or', 'Filters of which one must hold: `(status.eq.due,amount.gt.5)`.'),
    count: header('`count=exact` adds the number of all rows to `Content-Range`.', ['count=exact']),
    return: header('`return=representation` answers with the rows as they were stored.', [
      'return=minimal',
      'return=representation',
    ]),
  }
  /** Returns a filter for each column. Columns of the same name share one description. */
  const filters = (names: string[]) =>
    names.map((name) => {
      parameters[`by_${name}`] ??= query(
        name,
        `Only rows whose ${name} is like this: \`eq.\`, \`neq.\`, \`gt.\`, \`gte.\`, \`lt.\`, \`lte.\`, \`like.\`, \`ilike.\`, \`is.\` or \`in.\` and a value, with \`not.\` before it for the others.`,
      )
      return `by_${name}`
    })
  const use = (names: string[]) => names.map((name) => ({ $ref: `#/components/parameters/${name}` }))
  const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

  const refusals: Record<string, string[]> = {}
  for (const [code, [statuses, meaning]] of Object.entries(sqlstates)) {
    const status = statuses.split(', ').at(-1) ?? ''
    refusals[status] = [...(refusals[status] ?? []), `\`${code}\`: ${meaning}.`]
  }
  const responses = Object.fromEntries(
    Object.entries(refusals).map(([status, meanings]) => [
      status,
      { description: meanings.join(' '), content: json(ref('error')) },
    ]),
  )
  const refused = (isWrite: boolean) =>
    Object.fromEntries(
      Object.keys(responses)
        .filter((status) => isWrite || !['409', '410', '428'].includes(status))
        .map((status) => [status, { $ref: `#/components/responses/${status}` }]),
    )

  const paths: OpenApi['paths'] = {}
  for (const { request, scopes, is_volatile } of calls) {
    const [method = '', path = ''] = request.split(' ')
    const name = path.split('/').at(-1) ?? ''
    const operation = path.startsWith('/rpc/') ? ofFunction(method, name) : ofTable(request, method, name)
    if (method === 'GET' && is_volatile) throw new Error(`${request} changes something, which a GET must not`)
    paths[path] ??= {}
    // A call needs any one of these scopes.
    const security = scopes.map((scope) => ({ token: [scope] }))
    paths[path][method.toLowerCase()] = { tags: scopes, security, ...operation }
  }

  function ofTable(request: string, method: string, name: string): Operation {
    const columns = tables.get(`public.${name}`) ?? []
    const about = described(name, texts.get(`table ${name}`)?.about)
    const readable = columns.filter((column) => column.readable)
    schemasOf[name] ??= row(
      Object.fromEntries(readable.map((column) => [column.name, columnOf(`public.${name}`, column)])),
      about,
    )
    const rows = { type: 'array', items: ref(name) }
    const names = filters(readable.map((column) => column.name))
    if (method === 'GET')
      return {
        operationId: `list_${name}`,
        summary: shortly(about),
        description: about,
        parameters: use([...names, 'or', 'select', 'order', 'limit', 'offset', 'count']),
        responses: {
          200: { description: 'The rows.', content: json(rows) },
          206: { description: 'Some of the rows, where all were counted.', content: json(rows) },
          ...refused(false),
        },
      }
    const known = SENT[request]
    if (!known) throw new Error(`Nothing is known that ${request} sends`)
    const { does, needed = [], except, only = {} } = known
    const writable = columns.filter((own) => own[method === 'POST' ? 'insertable' : 'updatable'])
    const optional =
      known.optional ??
      (except ? writable.map((own) => own.name) : []).filter(
        (one) => ![...needed, ...(except ?? [])].includes(one),
      )
    const sent = [...needed, ...optional].map((one): [string, Schema] => {
      const column = writable.find((own) => own.name === one)
      if (!column) throw new Error(`${request} cannot send ${one}`)
      const { description = '', ...schema } = columnOf(`public.${name}`, column)
      const value = only[one] ? { ...schema, enum: only[one] } : schema
      return [one, { ...(needed.includes(one) ? notNull(value) : value), description }]
    })
    const isNew = method === 'POST'
    schemasOf[`${isNew ? 'new' : 'changed'}_${name}`] = row(Object.fromEntries(sent), about, needed)
    return {
      operationId: `${isNew ? 'add' : 'change'}_${name}`,
      summary: does,
      description: `${does}. ${about}`,
      parameters: use([...(isNew ? [] : [...names, 'or']), 'select', 'return']),
      requestBody: { required: true, content: json(ref(`${isNew ? 'new' : 'changed'}_${name}`)) },
      responses: {
        ...(isNew
          ? { 201: { description: 'Stored; the row with `return=representation`.', content: json(rows) } }
          : {
              200: { description: 'The rows, with `return=representation`.', content: json(rows) },
              204: { description: 'Changed.' },
            }),
        ...refused(true),
      },
    }
  }

  function ofFunction(method: string, name: string): Operation {
    const found = functions.find((one) => one.name === name)
    if (!found) throw new Error(`There is no function ${name}`)
    const text = texts.get(`function ${name}`)
    const about = described(`${name}()`, text?.about)
    const taken = found.arguments
      .filter(({ mode }) => mode === 'i')
      .map(({ name: one, type, default: value }) => {
        const schema = {
          ...jsonOf(type, value?.startsWith('NULL') ?? false),
          description: described(
            `${name}(${one})`,
            text?.parts.get(one) ?? COMMON[one.replace('p_', '')],
            type,
          ),
        }
        return { name: one, required: value === null, schema }
      })
    const { schema, columns } = answerOf(found)
    const lists =
      columns.length > 0
        ? use([...filters(columns), 'or', 'select', 'order', 'limit', 'offset', 'count'])
        : []
    const { description = '', ...answer } = schema ?? {}
    return {
      operationId: name,
      summary: shortly(about),
      description: about,
      parameters: [
        ...(method === 'GET'
          ? taken.map(({ name: one, required, schema: { description: said, ...rest } }) => ({
              ...{
                name: one,
                in: 'query',
                ...(required && { required }),
                description: said,
                schema: notNull(rest),
              },
            }))
          : []),
        ...lists,
      ],
      ...(method === 'POST' && {
        requestBody: {
          required: taken.some(({ required }) => required),
          content: json(
            row(
              Object.fromEntries(taken.map(({ name: one, schema: value }) => [one, value])),
              'The arguments.',
              taken.filter(({ required }) => required).map(({ name: one }) => one),
            ),
          ),
        },
      }),
      responses: {
        ...(schema
          ? {
              200: {
                description: String(description || 'The answer.'),
                content: json(columns.length > 0 ? schema : { ...answer, description }),
              },
            }
          : { 204: { description: 'Done.' } }),
        ...refused(method === 'POST'),
      },
    }
  }

  function answerOf({ name, returns, arguments: args }: FunctionDescription): {
    schema?: Schema
    columns: string[]
  } {
    const results = args.filter(({ mode }) => mode === 't')
    const alike = ALIKE[name] ?? ''
    if (results.length > 0) {
      const text = texts.get(`function ${name}`)
      schemasOf[name] = row(
        Object.fromEntries(
          results.map(({ name: one, type }) => {
            const own = text?.parts.get(one)
            const column = own ? undefined : tables.get(alike)?.find((known) => known.name === one)
            if (column) return [one, columnOf(alike, column)]
            const said = described(`${name}().${one}`, own ?? COMMON[one], type)
            // A result is nullable if its description says "null".
            return [one, { ...jsonOf(type, /\bnull\b/.test(said)), description: said }]
          }),
        ),
        described(name, text?.about),
      )
      return {
        schema: { type: 'array', description: 'The rows.', items: ref(name) },
        columns: results.map((one) => one.name),
      }
    }
    if (returns === 'void') return { columns: [] }
    if (returns !== 'jsonb') return { schema: jsonOf(returns, false), columns: [] }
    const known = answers[name]
    if (!known) throw new Error(`Nobody has said in answers.ts what ${name} answers`)
    schemasOf[name] = known
    return { schema: ref(name), columns: [] }
  }

  const document: OpenApi = {
    openapi: '3.1.0',
    info: { title: 'Potluck', version: today(), description: about(allowed?.attempts ?? 0) },
    servers: [
      {
        url: '/functions/v1/api',
        description: 'This site. With hosted Supabase, at the address of the project.',
      },
    ],
    tags: Object.entries(SCOPES).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'pot_…',
          description: 'A token of the person, with one of the scopes named.',
        },
      },
      parameters: { ...parameters },
      responses,
      schemas: schemasOf,
    },
  }
  if (lacking.length > 0)
    throw new Error(`Programs would read these texts in the schemas:\n${lacking.join('\n')}`)
  if (!promised) return document
  const broken = breaks(promised, document)
  if (broken.length > 0)
    throw new Error(
      `This breaks programs that were promised (openapi.json of ${promised.info.version}):\n${broken.join('\n')}\nIf it must be, remove web/public/openapi.json first, and tell people in CHANGELOG.md.`,
    )
  const version = isSamePromise(promised, document) ? promised.info.version : today()
  return { ...document, info: { ...document.info, version } }
}

/** Returns the first sentence or clause of a text. */
const shortly = (text: string) => (/^.*?\w{3}[.:;](?= |$)/.exec(text)?.[0] ?? text).slice(0, -1)
const today = () => new Date().toISOString().slice(0, 10)
const json = (schema: Schema) => ({ 'application/json': { schema } })
const query = (name: string, description: string, schema: Schema = { type: 'string' }): Parameter => ({
  ...{ name, in: 'query', description, schema },
})
const header = (description: string, values: string[]): Parameter => ({
  ...{ name: 'Prefer', in: 'header', description, schema: { type: 'string', enum: values } },
})
/** Returns the same schema without null, because a URL leaves out the parameter instead. */
const notNull = ({ type, ...schema }: Schema): Schema => ({
  ...schema,
  type: [type ?? []].flat().find((one) => one !== 'null') ?? 'string',
})
