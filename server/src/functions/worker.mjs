// Runs one function's bundle in its own thread, with the few Deno names that functions use. The other end is
// function-worker.ts. Plain JavaScript, because a thread starts from a file.
import { format } from 'node:util'
import { parentPort, workerData } from 'node:worker_threads'

/** @type {((request: Request, info: object) => Response | Promise<Response>) | undefined} */
let handler
/** @type {(error: unknown) => Response | Promise<Response>} */
let onError = (error) => {
  throw error
}

/** @param {unknown[]} given a handler, options and a handler, or options that hold one; the address is not theirs to choose */
function serve(...given) {
  const options = /** @type {any} */ (given.find((one) => typeof one === 'object') ?? {})
  handler = /** @type {any} */ (given.find((one) => typeof one === 'function')) ?? options.handler
  if (options.onError) onError = options.onError
  options.onListen?.({ hostname: 'localhost', port: 0, transport: 'tcp' })
  const nothing = () => undefined
  return { finished: new Promise(nothing), shutdown: async () => undefined, ref: nothing, unref: nothing }
}

const env = {
  get: (/** @type {string} */ name) => process.env[name],
  has: (/** @type {string} */ name) => process.env[name] !== undefined,
  set: (/** @type {string} */ name, /** @type {string} */ value) => {
    process.env[name] = value
  },
  delete: (/** @type {string} */ name) => {
    delete process.env[name]
  },
  toObject: () => ({ ...process.env }),
}
Object.assign(globalThis, {
  Deno: { serve, env, args: [] },
  EdgeRuntime: {
    waitUntil: (/** @type {Promise<unknown>} */ work) => {
      work.catch((error) => post({ log: format(error) }))
      return work
    },
  },
})

const post = (/** @type {object} */ message, /** @type {ArrayBuffer[]} */ transfer = []) =>
  parentPort?.postMessage(message, transfer)

const Builtin = globalThis.Response
const WITHOUT_BODY = new Set([101, 103, 204, 205, 304])

/**
 * A response that keeps its text until somebody asks for the stream the standard requires: most are passed to the other
 * thread as text, and creating streams was half of the cost of a request.
 */
const OwnResponse = class Response extends Builtin {
  /** @type {string | undefined} */
  #text
  /** @type {globalThis.Response | undefined} */
  #streamed
  constructor(body, init) {
    const isText = typeof body === 'string' && !WITHOUT_BODY.has(Number(init?.status))
    super(isText ? null : body, init)
    if (!isText) return
    this.#text = body
    if (!this.headers.has('content-type')) this.headers.set('content-type', 'text/plain;charset=UTF-8')
  }
  /** The object that has the body. */
  static #whole(response) {
    if (!(#text in response) || response.#text === undefined) return response
    response.#streamed ??= new Builtin(response.#text, { headers: response.headers })
    return response.#streamed
  }
  static {
    for (const name of ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text']) {
      const read = Builtin.prototype[name]
      if (!read) continue
      const value = function () {
        return read.call(Response.#whole(this))
      }
      Object.defineProperty(Response.prototype, name, { value, configurable: true, writable: true })
    }
  }
  get body() {
    return this.#text === undefined ? super.body : Response.#whole(this).body
  }
  get bodyUsed() {
    return this.#text === undefined ? super.bodyUsed : (this.#streamed?.bodyUsed ?? false)
  }
  clone() {
    if (this.#text === undefined) return super.clone()
    return this.#streamed ? new Builtin(this.#streamed.clone().body, this) : new Response(this.#text, this)
  }
  static textOf(response) {
    return #text in response && response.#streamed === undefined ? response.#text : undefined
  }
  static json(data, init) {
    const { headers, ...rest } = init ?? {}
    const all = new Headers(headers)
    if (!all.has('content-type')) all.set('content-type', 'application/json')
    return new Response(JSON.stringify(data), { ...rest, headers: all })
  }
  static [Symbol.hasInstance](value) {
    return value instanceof Builtin
  }
}
globalThis.Response = OwnResponse

async function answer({ id, address, url, ...init }) {
  try {
    const request = new Request(url, init)
    const info = { remoteAddr: { transport: 'tcp', hostname: address, port: 0 } }
    let response
    try {
      if (!handler) throw new Error('The function serves nothing: it calls no Deno.serve')
      response = await handler(request, info)
    } catch (error) {
      response = await onError(error)
    }
    await send(id, response)
  } catch (error) {
    post({ id, failed: format(error) })
  }
}

/** What is available immediately goes into one message; the rest follows as it arrives. */
async function send(id, response) {
  const { status, statusText } = response
  const headers = [...response.headers]
  const text = OwnResponse.textOf(response)
  if (text !== undefined) return post({ id, head: { status, statusText, headers }, body: text, ended: true })
  const reader = response.body?.getReader()
  const first = await reader?.read()
  if (!reader || !first?.value) return post({ id, head: { status, statusText, headers }, ended: true })
  let next = reader.read()
  const ended = await Promise.race([
    next.then(({ done }) => done),
    new Promise((done) => setImmediate(done, false)),
  ])
  pass(id, first.value, { head: { status, statusText, headers }, ended })
  while (!(await next).done) {
    pass(id, (await next).value, {})
    next = reader.read()
  }
  if (!ended) post({ id, ended: true })
}

function pass(id, chunk, message) {
  // A copy, because the chunk may be a view of memory that the function keeps using.
  const body = Uint8Array.from(chunk)
  post({ id, body, ...message }, [body.buffer])
}

const module = await import(workerData.bundle)
if (!handler && typeof module.default?.fetch === 'function') {
  handler = (request) => module.default.fetch(request)
}
parentPort?.on('message', (message) => {
  if (message.ping) post({ pong: true })
  else void answer(message)
})
post({ ready: true })
