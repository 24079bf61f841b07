// Runs one function's bundle in its own thread, with the few Deno names that functions use. function-worker.ts is the
// other end. Plain JavaScript, because a thread starts from a file.
import { format } from 'node:util'
import { parentPort, workerData } from 'node:worker_threads'
import { LazyRequest, partsOf } from './lazy.mjs'
import { createOutbox } from './outbox.mjs'

/** @type {((request: Request, info: object) => Response | Promise<Response>) | undefined} */
let handler
/** @type {(error: unknown) => Response | Promise<Response>} */
let onError = (error) => {
  throw error
}

/**
 * @param {unknown[]} given a handler, options and a handler, or options with a handler; an address in the options is
 * ignored
 */
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
      work.catch((error) => outbox.put({ log: format(error) }))
      return work
    },
  },
})

const outbox = createOutbox(/** @type {import('node:worker_threads').MessagePort} */ (parentPort))

async function answer({ id, head, body }) {
  try {
    const [method, url, hostname, ...headers] = head.split('\n')
    const request = new LazyRequest(method, url, headers, body)
    const info = { remoteAddr: { transport: 'tcp', hostname, port: 0 } }
    let response
    try {
      if (!handler) throw new Error('The function serves nothing: it calls no Deno.serve')
      response = await handler(request, info)
    } catch (error) {
      response = await onError(error)
    }
    await send(id, response)
  } catch (error) {
    outbox.put({ id, failed: format(error) })
  }
}

/** Sends a response: the part that is available at once in one message, the rest as it arrives. */
async function send(id, response) {
  const { status, headers, text } = partsOf(response)
  if (text !== undefined) return outbox.put({ id, status, headers, body: text, ended: true })
  const reader = response.body?.getReader()
  const first = await reader?.read()
  if (!reader || !first?.value) return outbox.put({ id, status, headers, ended: true })
  let next = reader.read()
  const ended = await Promise.race([
    next.then(({ done }) => done),
    new Promise((done) => setImmediate(done, false)),
  ])
  pass(id, first.value, { status, headers, ended })
  while (!(await next).done) {
    pass(id, (await next).value, {})
    next = reader.read()
  }
  if (!ended) outbox.put({ id, ended: true })
}

function pass(id, chunk, message) {
  // A copy, since the function may go on using the chunk's memory.
  const body = Uint8Array.from(chunk)
  outbox.put({ id, body, ...message }, body.buffer)
}

// In ms.
const LONGEST_HELD = 1
const microtasks = Promise.resolve()

/**
 * Starts the handling of messages one by one, each as far as it gets without waiting, and sends the responses together;
 * earlier if handling takes long, so that no response waits for later messages. @param {any[]} messages
 */
function hear(messages, at = 0, since = performance.now()) {
  const isLate = performance.now() - since > LONGEST_HELD
  if (isLate || at === messages.length) outbox.send()
  if (at === messages.length) return
  if (messages[at].ping) outbox.put({ pong: true })
  else void answer(messages[at])
  // A tick requested by a microtask runs after all other microtasks.
  void microtasks.then(() => process.nextTick(hear, messages, at + 1, isLate ? performance.now() : since))
}

const module = await import(workerData.bundle)
if (!handler && typeof module.default?.fetch === 'function') {
  handler = (request) => module.default.fetch(request)
}
parentPort?.on('message', (messages) => hear(messages))
outbox.put({ ready: true })
