// Runs one function's bundle in its own thread, with the few Deno names that functions use. function-worker.ts is its
// counterpart in the main thread. This file is plain JavaScript, because a thread starts from a file.
import { format } from 'node:util'
import { parentPort, workerData } from 'node:worker_threads'
import { LazyRequest, partsOf } from './lazy.mjs'
import { createOutbox } from './outbox.mjs'

/** @type {((request: Request, info: object) => Response | Promise<Response>) | undefined} */
let handler
Object.assign(globalThis, {
  Deno: {
    serve: (/** @type {NonNullable<typeof handler>} */ given) => {
      handler = given
    },
    env: { get: (/** @type {string} */ name) => process.env[name] },
  },
  EdgeRuntime: {
    waitUntil: (/** @type {Promise<unknown>} */ work) => {
      void begin(work.catch((error) => outbox.put({ log: format(error) })))
      return work
    },
  },
})

const outbox = createOutbox(/** @type {import('node:worker_threads').MessagePort} */ (parentPort))

let begun = 0
let isRetired = false

/**
 * Counts work that a retired thread still has to finish.
 * @param {Promise<unknown>} work never rejects
 */
async function begin(work) {
  begun += 1
  await work
  begun -= 1
  endIfDone()
}

function endIfDone() {
  if (!isRetired || begun > 0) return
  outbox.send()
  process.exit()
}

async function answer({ id, head, body }) {
  try {
    const [method, url, hostname, ...headers] = head.split('\n')
    const request = new LazyRequest(method, url, headers, body)
    const info = { remoteAddr: { transport: 'tcp', hostname, port: 0 } }
    if (!handler) throw new Error('The function serves nothing: it calls no Deno.serve')
    await send(id, await handler(request, info))
  } catch (error) {
    outbox.put({ id, failed: format(error) })
  }
}

/** Sends a response: the part that is available immediately in one message, and the rest as it arrives. */
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
  // The chunk is copied, since the function may go on using its memory.
  const body = Uint8Array.from(chunk)
  outbox.put({ id, body, ...message }, body.buffer)
}

// How long in ms responses are collected before they are sent together.
const LONGEST_HELD = 1
const microtasks = Promise.resolve()

/**
 * Starts to handle messages one by one, each as far as it gets without waiting, and sends the responses together. If
 * that takes long, responses are sent earlier, so that none waits for later messages.
 * @param {any[]} messages
 */
function hear(messages, at = 0, since = performance.now()) {
  const isLate = performance.now() - since > LONGEST_HELD
  if (isLate || at === messages.length) outbox.send()
  if (at === messages.length) return
  const message = messages[at]
  if (message.ping) outbox.put({ pong: true })
  else if (message.retire) {
    isRetired = true
    endIfDone()
  } else void begin(answer(message))
  // A tick requested by a microtask runs after all other microtasks.
  void microtasks.then(() => process.nextTick(hear, messages, at + 1, isLate ? performance.now() : since))
}

await import(workerData.bundle)
parentPort?.on('message', (messages) => hear(messages))
outbox.put({ ready: true })
