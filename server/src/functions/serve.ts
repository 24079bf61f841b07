// Serves Edge Functions at /functions/v1/<name>, as on hosted Supabase. Does not use Hono, whose requests, responses
// and routing took longer than a small function does.
import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import type { Logger } from 'pino'
import type { Database } from '#db/database.ts'
import { clientAddress } from '#http/client-address.ts'
import { reportFailure } from '#http/failure.ts'
import { REQUEST_ID, requestIdOf } from '#http/request-id.ts'
import { isLive } from '#identity/sessions.ts'
import { InvalidToken, type Tokens } from '#identity/tokens.ts'
import type { FunctionSettings } from './function-settings.ts'
import { type Answer, createFunctionWorker, FunctionFailed, type FunctionWorker } from './function-worker.ts'

export interface FunctionParts {
  db: Database
  /** The folder that contains `<name>.js` for each function, written by the build. */
  folder: string
  settings: FunctionSettings
  tokens: Tokens
  /** Returns additional secrets, which may change; functions that run with old ones are restarted. */
  generated?: () => Readonly<Record<string, string>>
  /** Environment variables for every function, besides the project's secrets. */
  env: Record<string, string>
  trustProxy: boolean
  /** The script that runs a bundle. */
  script: string
  /** Called for each request that a function failed to answer. */
  onFailure: (name: string) => void
  log: Logger
  /** The longest wait for a response in ms; the default is that of hosted Supabase. */
  answerMs?: number
  /** A function's thread ends after this time in ms without a request. */
  idleMs?: number | undefined
}

export interface Functions {
  /** True if the request is for a function. Functions handle every method themselves, including OPTIONS. */
  isFor(incoming: IncomingMessage): boolean
  serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>
  close(): Promise<void>
}

const PATH = '/functions/v1/'
const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/
const NONE = {}
const MOST_BYTES = 6 * 1024 * 1024

/** The function's name in the URL of a request. */
const nameIn = (url: string): string => url.slice(PATH.length).split(/[/?]/, 1)[0] ?? ''

export function serveFunctions({
  db,
  folder,
  settings,
  tokens,
  generated = () => NONE,
  env,
  trustProxy,
  script,
  onFailure,
  log,
  answerMs = 150_000,
  idleMs,
}: FunctionParts): Functions {
  const workers = new Map<string, FunctionWorker>()
  let secrets = generated()
  const workerOf = (name: string): FunctionWorker | undefined => {
    const current = generated()
    if (current !== secrets) for (const worker of workers.values()) void worker.retire()
    secrets = current
    const known = workers.get(name)
    if (known) return known
    const bundle = join(folder, `${name}.js`)
    if (!NAME.test(name) || settings.disabled.has(name) || !existsSync(bundle)) return undefined
    const worker = createFunctionWorker({
      name,
      script: pathToFileURL(script),
      bundle: pathToFileURL(bundle).href,
      env: () => ({ ...env, ...settings.secrets, ...secrets }),
      ...{ answerMs, idleMs },
      log,
    })
    workers.set(name, worker)
    return worker
  }

  async function requireCaller({ method, headers }: IncomingMessage, name: string): Promise<void> {
    if (settings.open.has(name) || method === 'OPTIONS') return
    if (headers.authorization === undefined) throw unauthorized('Missing authorization header')
    const token = /^Bearer\s+(\S+)$/i.exec(headers.authorization)?.[1]
    if (token === undefined) throw unauthorized("Auth header is not 'Bearer {token}'")
    const { session_id: sessionId, sub = '' } = await tokens.verify(token).catch((error: unknown) => {
      throw error instanceof InvalidToken ? unauthorized('Invalid JWT') : error
    })
    // A token outlives its session and account, but must not call a function after they have ended.
    if (sessionId !== undefined && !(await isLive(db, sessionId, sub))) throw unauthorized('Invalid JWT')
  }

  async function ask(incoming: IncomingMessage): Promise<Answer> {
    const { method = 'GET', rawHeaders, url = '' } = incoming
    const path = url.slice(PATH.length)
    const name = nameIn(url)
    const worker = workerOf(name)
    if (!worker) throw new Refused(404, 'Function not found')
    await requireCaller(incoming, name)
    return worker.ask({
      method,
      url: urlOf(incoming, path),
      headers: rawHeaders,
      body: await readBody(incoming),
      address: clientAddress(trustProxy, incoming),
    })
  }

  function answerTo(error: unknown, id: string, { method, url = '' }: IncomingMessage): Answer {
    if (error instanceof Refused) return say(error.status, error.body, error.headers)
    if (error instanceof FunctionFailed) {
      onFailure(nameIn(url))
      return say(error.status, { code: error.code, message: error.message })
    }
    const [path] = url.split('?', 1)
    const { status, body, headers } = reportFailure(error, { method, path }, log.child({ request: id }))
    return say(status, body, Object.entries(headers).flat())
  }

  return {
    isFor: ({ url }) => url?.startsWith(PATH) ?? false,
    serve: async (incoming, outgoing) => {
      const id = requestIdOf(trustProxy, incoming.headers['x-request-id'])
      try {
        send(await ask(incoming), id, outgoing)
      } catch (error) {
        // If the client has left, there is no one to send the error to.
        if (!outgoing.destroyed) send(answerTo(error, id, incoming), id, outgoing)
      }
    },
    close: async () => {
      await Promise.all([...workers.values()].map((worker) => worker.close()))
    },
  }
}

/** A refusal before the request reaches a function, with the text or object to respond with. */
class Refused extends Error {
  readonly status: number
  readonly body: string | object
  readonly headers: string[]
  constructor(status: number, body: string | object, headers: string[] = []) {
    super('A request was refused')
    this.status = status
    this.body = body
    this.headers = headers
  }
}

const unauthorized = (message: string) => new Refused(401, { code: 401, message })

/** Returns the URL that the function sees. */
function urlOf({ headers: { host = 'localhost' } }: IncomingMessage, path: string): string {
  try {
    const url = new URL(`http://${host}/${path}`)
    if (!/[/?#@\\]/.test(host)) return url.href
  } catch {
    // An invalid host is refused below, as is a header that contains more than a host.
  }
  throw new Refused(400, 'Bad request')
}

async function readBody(incoming: IncomingMessage): Promise<ArrayBuffer | null> {
  const length = incoming.headers['content-length'] ?? '0'
  const isEmpty = length === '0' && incoming.headers['transfer-encoding'] === undefined
  if (isEmpty || incoming.method === 'GET' || incoming.method === 'HEAD') return null
  if (Number(length) > MOST_BYTES) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > MOST_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  // The body gets a buffer of its own, because that buffer is transferred to the other thread.
  const body = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    body.set(chunk, at)
    at += chunk.length
  }
  return body.buffer
}

// The rest of the body is not read, so the connection closes with the response.
const tooLarge = () =>
  new Refused(413, { code: 'PAYLOAD_TOO_LARGE', message: 'A request may hold 6 MB' }, ['Connection', 'close'])

/** Returns a response that browsers on other origins may read. */
const say = (status: number, body: string | object, headers: string[] = []): Answer => ({
  status,
  headers: [
    ...['Content-Type', typeof body === 'string' ? 'text/plain; charset=UTF-8' : 'application/json'],
    ...['Access-Control-Allow-Origin', '*', ...headers],
  ],
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

function send({ status, headers, body }: Answer, id: string, outgoing: ServerResponse): void {
  const all = [...headers, REQUEST_ID, id]
  if (body instanceof Readable) {
    outgoing.writeHead(status, all).flushHeaders()
    // Either side may end first; nothing is left to do then.
    pipeline(body, outgoing, () => undefined)
    return
  }
  const isMeasured = headers.some(
    (name, at) => at % 2 === 0 && /^(content-length|transfer-encoding)$/.test(name),
  )
  if (body !== undefined && !isMeasured) all.push('Content-Length', String(Buffer.byteLength(body)))
  outgoing.writeHead(status, all).end(body)
}
