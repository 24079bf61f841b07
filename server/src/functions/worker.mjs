// Runs one function's bundle in a thread of its own, under the few Deno names that functions use. The other end is
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

/** Remembers a text it is made of, which then need not be read back from a stream. */
const OwnResponse = class Response extends globalThis.Response {
  /** @type {string | undefined} */
  #text
  constructor(body, init) {
    super(body, init)
    if (typeof body === 'string') this.#text = body
  }
  static textOf(response) {
    return #text in response && !response.bodyUsed ? response.#text : undefined
  }
  static json(data, init) {
    const { headers, ...rest } = init ?? {}
    const all = new Headers(headers)
    if (!all.has('content-type')) all.set('content-type', 'application/json')
    return new OwnResponse(JSON.stringify(data), { ...rest, headers: all })
  }
  static [Symbol.hasInstance](value) {
    return value instanceof Builtin
  }
}
const Builtin = globalThis.Response
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

/** What is there at once goes in one message; the rest follows as it comes. */
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
  // A copy, because the chunk may be a view of memory that the function goes on using.
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
