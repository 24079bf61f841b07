// Edge Functions at /functions/v1/<name>, as hosted Supabase serves them.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Logger } from 'pino'
import type { Database } from '#db/database.ts'
import { clientAddress } from '#http/client-address.ts'
import { isLive } from '#identity/sessions.ts'
import { InvalidToken, type Tokens } from '#identity/tokens.ts'
import type { FunctionSettings } from './function-settings.ts'
import { createFunctionWorker, FunctionFailed, type FunctionWorker } from './function-worker.ts'

export interface FunctionParts {
  db: Database
  /** Contains `<name>.js` for each function, written by the build. */
  folder: string
  settings: FunctionSettings
  tokens: Tokens
  /** Additional secrets, which may change: functions running with old ones are restarted. */
  generated?: () => Readonly<Record<string, string>>
  /** The environment of every function, besides the project's secrets. */
  env: Record<string, string>
  trustProxy: boolean
  /** The script that runs a bundle. */
  script: string
  log: Logger
  /** In milliseconds; the same as on hosted Supabase. */
  answerMs?: number
}

type Env = { Bindings: HttpBindings }

interface Functions {
  routes: Hono<Env>
  /** Stops the running functions. */
  close(): Promise<void>
}

const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/
const NONE = {}
const MOST_BYTES = 6 * 1024 * 1024

/** Routes to be mounted at /functions/v1. A function handles every method itself, including OPTIONS. */
export function functionRoutes({
  db,
  folder,
  settings,
  tokens,
  generated = () => NONE,
  env,
  trustProxy,
  script,
  log,
  answerMs = 150_000,
}: FunctionParts): Functions {
  const workers = new Map<string, FunctionWorker>()
  const retired = new Set<FunctionWorker>()
  let secrets = generated()
  /** Running functions may finish their current requests. */
  const retireAll = () => {
    for (const worker of workers.values()) {
      retired.add(worker)
      setTimeout(() => {
        retired.delete(worker)
        void worker.close()
      }, answerMs).unref()
    }
    workers.clear()
  }
  const workerOf = (name: string): FunctionWorker | undefined => {
    const bundle = join(folder, `${name}.js`)
    if (!NAME.test(name) || settings.disabled.has(name)) return undefined
    const current = generated()
    if (current !== secrets) retireAll()
    secrets = current
    const known = workers.get(name)
    if (known || !existsSync(bundle)) return known
    const worker = createFunctionWorker({
      name,
      script: pathToFileURL(script),
      bundle: pathToFileURL(bundle).href,
      env: { ...env, ...settings.secrets, ...secrets },
      answerMs,
      log,
    })
    workers.set(name, worker)
    return worker
  }

  async function requireCaller(context: Context<Env>, name: string): Promise<Response | undefined> {
    if (settings.open.has(name) || context.req.method === 'OPTIONS') return undefined
    const header = context.req.header('authorization')
    if (header === undefined) return unauthorized(context, 'Missing authorization header')
    const token = /^Bearer\s+(\S+)$/i.exec(header)?.[1]
    if (token === undefined) return unauthorized(context, "Auth header is not 'Bearer {token}'")
    try {
      const { session_id: sessionId, sub = '' } = await tokens.verify(token)
      // A token outlives its session and its account; functions must not be called with such a token.
      if (sessionId === undefined || (await isLive(db, sessionId, sub))) return undefined
      return unauthorized(context, 'Invalid JWT')
    } catch (error) {
      if (error instanceof InvalidToken) return unauthorized(context, 'Invalid JWT')
      throw error
    }
  }

  async function serve(context: Context<Env>): Promise<Response> {
    // Browsers on other origins may read the reason for the refusal.
    context.header('Access-Control-Allow-Origin', '*')
    const name = context.req.param('name') ?? ''
    const worker = workerOf(name)
    if (!worker) return context.text('Function not found', 404)
    const refusal = await requireCaller(context, name)
    if (refusal) return refusal
    const { raw, method, url } = context.req
    const { rawHeaders } = context.env.incoming
    try {
      return await worker.ask({
        method,
        url: url.replace('/functions/v1/', '/'),
        headers: rawHeaders,
        body: hasBody(context) ? await raw.arrayBuffer() : null,
        address: clientAddress(trustProxy, context.env.incoming),
      })
    } catch (error) {
      if (!(error instanceof FunctionFailed)) throw error
      return Response.json(
        { code: error.code, message: error.message },
        { status: error.status, headers: { 'Access-Control-Allow-Origin': '*' } },
      )
    }
  }

  // The rest of the body is not read, so the connection closes with the response.
  const tooLarge = (context: Context<Env>) =>
    context.json({ code: 'PAYLOAD_TOO_LARGE', message: 'A request may hold 6 MB' }, 413, {
      Connection: 'close',
    })
  // Hono's own reads the body as a stream even if its size is known, which costs more than the rest of the request.
  const count = bodyLimit({ maxSize: MOST_BYTES, onError: tooLarge })
  const limited: MiddlewareHandler<Env> = (context, next) => {
    const { headers } = context.env.incoming
    if (headers['transfer-encoding'] !== undefined) return count(context, next)
    return Number(headers['content-length'] ?? 0) > MOST_BYTES ? Promise.resolve(tooLarge(context)) : next()
  }
  const routes = new Hono<Env>()
  for (const path of ['/:name', '/:name/*']) routes.all(path, limited, serve)
  return {
    routes,
    close: async () => {
      await Promise.all([...workers.values(), ...retired].map((worker) => worker.close()))
    },
  }
}

const hasBody = ({ req, env: { incoming } }: Context<Env>) =>
  !/^(GET|HEAD)$/.test(req.method) &&
  (incoming.headers['transfer-encoding'] !== undefined || Number(incoming.headers['content-length'] ?? 0) > 0)

const unauthorized = (context: Context<Env>, message: string) => context.json({ code: 401, message }, 401)
