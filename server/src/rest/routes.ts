// The Data API: PostgREST's protocol over whatever the database holds. Knows no table by name.
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import type { StatusCode } from 'hono/utils/http-status'
import type { Logger } from 'pino'
import type { Database } from '#db/database.ts'
import type { Identify } from '#identity/caller.ts'
import { type Answer, answerError, RestError } from './errors.ts'
import { readRequest } from './request.ts'
import { run } from './run.ts'
import { createSchemaCache } from './schema-cache.ts'
import { createStatements } from './statements.ts'

export interface RestParts {
  db: Database
  identify: Identify
  log: Logger
  /** No read gives more rows than this. */
  maxRows?: number
  /** The exposed schemas, the default one first. */
  schemas?: readonly string[]
}

type Env = { Bindings: Partial<HttpBindings> }
type Target = { kind: 'table' | 'routine'; name: string }

/** Routes to be mounted at /rest/v1. Starts reading the schema at once. */
export function restRoutes({
  db,
  identify,
  log,
  maxRows = 1_000,
  schemas = ['public'],
}: RestParts): Hono<Env> {
  const cache = createSchemaCache(db, schemas, log)
  const statements = createStatements(maxRows)

  const serve = async (context: Context<Env>, target: Target): Promise<Response> => {
    const http = context.req.raw
    let anonymous = true
    try {
      const caller = await identify(http)
      anonymous = caller.role === 'anon'
      const request = await readRequest(http, target, { schemas, maxRows })
      const known = cache.current()
      const prepared = statements.for(request, known instanceof Promise ? await known : known)
      return send(context, await run(db, { caller, request, prepared, headers: headersOf(context) }))
    } catch (error) {
      return send(context, answerError(error, { anonymous, log }))
    }
  }

  const refuse = (context: Context<Env>, error: RestError) =>
    send(context, answerError(error, { anonymous: true, log }))
  const noSuchPath = (path: string) =>
    path === ''
      ? new RestError('PGRST126', 'Root endpoint metadata is disabled')
      : new RestError('PGRST125', 'Invalid path specified in request URL')
  return new Hono<Env>()
    .all('/rpc/:name', (context) => serve(context, { kind: 'routine', name: context.req.param('name') }))
    .all('/:name', (context) => serve(context, { kind: 'table', name: context.req.param('name') }))
    .all('/:path{.*}', (context) => refuse(context, noSuchPath(context.req.param('path'))))
}

/** The request's headers as a JSON object with lower-case names, as SQL may read them. */
function headersOf({ env, req }: Context<Env>): string {
  return JSON.stringify(env?.incoming?.headers ?? Object.fromEntries(req.raw.headers))
}

const BODILESS = [204, 205, 304]

function send(context: Context<Env>, { status, headers, body }: Answer): Response {
  return context.newResponse(BODILESS.includes(status) ? null : body, status as StatusCode, headers)
}
