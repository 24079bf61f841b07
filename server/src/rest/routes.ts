// The Data API: PostgREST's protocol for any database. It knows no table by name.
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import type { StatusCode } from 'hono/utils/http-status'
import type { Logger } from 'pino'
import { asCaller, type Caller, type RequestSettings } from '#db/as-caller.ts'
import { type Database, DatabaseError, isUnavailable, type Row, type Statement } from '#db/database.ts'
import type { Reads } from '#db/replica.ts'
import type { Turns } from '#db/turns.ts'
import { clientAddress, networkOf } from '#http/client-address.ts'
import { logOf } from '#http/request-id.ts'
import type { Identified, Identify } from '#identity/caller.ts'
import { type Answer, answerError, RestError } from './errors.ts'
import type { Prepared } from './prepare.ts'
import { type ReadRequest, readRequest } from './request.ts'
import { respond } from './respond.ts'
import { createSchemaCache } from './schema-cache.ts'
import { type Ask, SharedAnswers, type Visit } from './shared-answers.ts'
import type { ResultRow } from './sql/statement.ts'
import { createStatements } from './statements.ts'

export interface RestParts {
  db: Database
  /** The database for visitors' reads, which may be a moment behind. */
  reads?: Reads | undefined
  identify: Identify
  turns: Turns
  trustProxy: boolean
  /** The key with which a function of this server names the address it calls for: `x-on-behalf-of: <key> <address>`. */
  onBehalf?: string
  log: Logger
  /** The maximum number of rows that a read returns. */
  maxRows?: number
  /** The exposed schemas, the default one first. */
  schemas?: readonly string[]
}

type Env = { Bindings: Partial<HttpBindings> }
type Target = { kind: 'table' | 'routine'; name: string }

/** Routes to mount at /rest/v1. Starts reading the schema immediately. */
export function restRoutes({
  db,
  reads = db,
  identify,
  turns,
  trustProxy,
  onBehalf,
  log,
  maxRows = 1_000,
  schemas = ['public'],
}: RestParts): Hono<Env> {
  const cache = createSchemaCache(db, schemas, log)
  const statements = createStatements(maxRows)
  const shared = new SharedAnswers()

  const serve = async (context: Context<Env>, target: Target): Promise<Response> => {
    const http = context.req.raw
    let anonymous = true
    try {
      const caller = await identify(http)
      anonymous = caller.role === 'anon'
      const ask: Ask = async (at) => {
        const request = await readRequest(http, target, { schemas, maxRows })
        const known = cache.current()
        const schema = known instanceof Promise ? await known : known
        const prepared = statements.for(request, schema)
        const { preRequest } = schema
        const [key, whom] = (http.headers.get('x-on-behalf-of') ?? '').split(' ')
        // A function may read what it has just written, so it gets the primary.
        const from = anonymous && prepared.readOnly && key !== onBehalf ? reads : db
        const work = () =>
          at(() => run(from, { caller, request, prepared, preRequest, ...readRequestSettings(context) }))
        const name =
          key && key === onBehalf ? networkOf(whom ?? 'unknown') : callerKey(caller, trustProxy, context)
        // A read whose client has left is dropped, unless other visitors share it. Writes are always done.
        const destination = prepared.readOnly && !anonymous ? context.env?.outgoing : undefined
        return name === undefined ? work() : turns.take(name, work, destination)
      }
      const visit = visitOf(caller, http, target)
      return send(context, await (visit ? shared.answer(visit, ask) : ask((work) => work())))
    } catch (error) {
      return send(context, answerError(error, { anonymous, log: logOf(context, log) }))
    }
  }

  const refuse = (context: Context<Env>, error: RestError) =>
    send(context, answerError(error, { anonymous: true, log: logOf(context, log) }))
  const noSuchPath = (path: string) =>
    path === ''
      ? new RestError('PGRST126', 'Root endpoint metadata is disabled')
      : new RestError('PGRST125', 'Invalid path specified in request URL')
  return new Hono<Env>()
    .all('/rpc/:name', (context) => serve(context, { kind: 'routine', name: context.req.param('name') }))
    .all('/:name', (context) => serve(context, { kind: 'table', name: context.req.param('name') }))
    .all('/:path{.*}', (context) => refuse(context, noSuchPath(context.req.param('path'))))
}

/** Headers of a visit that affect the server's own response. */
const READ = ['accept', 'accept-profile', 'prefer', 'range']

/** Returns the cache key of a visitor's read, or undefined for signed-in people and for other methods. */
function visitOf(
  { role, parsed, claims }: Identified,
  { method, url, headers }: Request,
  { kind, name }: Target,
): Visit | undefined {
  if (role !== 'anon' || parsed.sub !== undefined || (method !== 'GET' && method !== 'HEAD')) return undefined
  const header = (one: string) => headers.get(one) ?? undefined
  return {
    key: JSON.stringify([claims, url.slice(url.indexOf('/', url.indexOf('//') + 2)), ...READ.map(header)]),
    ...{ target: `${kind} ${name}`, method, header },
  }
}

/**
 * Returns the key for fair scheduling: a person, or an address if nobody is signed in; undefined for the service key.
 */
function callerKey(
  { role, parsed }: Identified,
  trustProxy: boolean,
  { env }: Context<Env>,
): string | undefined {
  if (role === 'service_role') return undefined
  if (parsed.sub !== undefined) return parsed.sub
  return env?.incoming ? networkOf(clientAddress(trustProxy, env.incoming)) : 'unknown'
}

/** Returns the request's id, and its headers (lower-case names) and cookies as JSON objects for SQL. */
function readRequestSettings(context: Context<Env>): Pick<RequestSettings, 'headers' | 'cookies' | 'id'> {
  const { env, req } = context
  const headers = env?.incoming?.headers ?? Object.fromEntries(req.raw.headers)
  return {
    headers: JSON.stringify(headers),
    cookies: JSON.stringify(getCookie(context)),
    id: context.get('requestId'),
  }
}

const BODILESS = [204, 205, 304]

function send(context: Context<Env>, { status, headers, body }: Answer): Response {
  return context.newResponse(BODILESS.includes(status) ? null : body, status as StatusCode, headers)
}

interface Run extends ReturnType<typeof readRequestSettings> {
  caller: Caller
  request: ReadRequest
  prepared: Prepared
  preRequest: string | undefined
}

/**
 * Fails on purpose if SQL has set headers or a status for the response, because only the server can check these. To
 * fail, the statement reads a setting with a name that no setting can have.
 */
const SAYS_NOTHING: Statement = {
  text: `select case
    when concat(current_setting('response.headers', true), current_setting('response.status', true)) <> ''
    then current_setting('(SQL says something of the answer)') end`,
}
const saysSomething = (error: unknown) =>
  error instanceof DatabaseError && error.message.includes('(SQL says something of the answer)')
/** Statements after which SQL has once set headers or a status; their responses are checked before the commit. */
const outspoken = new WeakSet<Prepared>()

/**
 * Runs the statement in the request's only transaction. If Postgres or the response refuses, the error is thrown and
 * everything is rolled back. The pre-request function then runs again by itself, so that its record of the refused
 * request is kept.
 */
async function run(db: Reads, asked: Run): Promise<Answer> {
  const { caller, request, prepared, preRequest, ...said } = asked
  const { literals } = request.query
  const values = prepared.parameters.map((parameter) =>
    typeof parameter === 'number' ? (literals[parameter] ?? null) : parameter,
  )
  const before = preRequest === undefined ? [] : [{ text: `select ${preRequest}()` }]
  const settings = { method: request.method, path: request.path, ...said }
  let answer: Answer | undefined
  const conclude = (results: Row[][]): Answer => {
    answer = respond(prepared, results[before.length]?.[0] as unknown as ResultRow, request)
    return answer
  }
  const isJudged = !prepared.readOnly && (prepared.refusable || outspoken.has(prepared))
  const isCertain = !prepared.readOnly && !isJudged
  const statements = [...before, { text: prepared.text, values }, ...(isCertain ? [SAYS_NOTHING] : [])]
  try {
    const results = await asCaller(db, caller, statements, {
      readOnly: prepared.readOnly,
      request: settings,
      // An invalid response rolls back a write. A read may commit before its response is built. So may a write whose
      // response cannot be invalid, and its commit is then sent in the same message.
      ...(isJudged && { beforeCommit: conclude }),
    })
    return answer ?? conclude(results)
  } catch (error) {
    if (isCertain && saysSomething(error)) {
      outspoken.add(prepared)
      return run(db, asked)
    }
    if (preRequest !== undefined && !prepared.readOnly && !isUnavailable(error))
      await asCaller(db, caller, before, { request: settings })
    throw error
  }
}
