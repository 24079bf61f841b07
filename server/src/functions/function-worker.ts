// Runs one function in its own thread: started by its first request, restarted after a crash, stopped if it hangs, ended
// when nobody has asked for a while.
import { on, once } from 'node:events'
import { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { createOutbox } from './outbox.mjs'

/** Thrown if the function gave no response; the codes are those of the hosted runtime. */
export class FunctionFailed extends Error {
  readonly status: 500 | 503 | 504 | 546
  readonly code: string
  constructor(status: FunctionFailed['status'], code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export interface FunctionRequest {
  method: string
  /** The URL that the function sees. */
  url: string
  /** Header names and values, alternating. */
  headers: readonly string[]
  body: ArrayBuffer | null
  address: string
}

export interface Answer {
  status: number
  /** Header names and values, alternating. */
  headers: string[]
  /** A stream if more parts will arrive. */
  body: string | Uint8Array | Readable | undefined
}

export interface FunctionWorker {
  ask(request: FunctionRequest): Promise<Answer>
  /** The next request gets a new thread, with the environment of that time; the current one ends with its work. */
  retire(): Promise<void>
  close(): Promise<void>
}

interface Message {
  id: number
  pong?: true
  log?: string
  failed?: string
  status?: number
  /** Header names and values, alternating. */
  headers?: string[]
  body?: Uint8Array<ArrayBuffer> | string
  ended?: boolean
}

interface Waiting {
  resolve: (answer: Answer) => void
  reject: (failure: FunctionFailed) => void
  rest?: Readable
}

interface Thread {
  worker: Worker
  outbox: ReturnType<typeof createOutbox>
  waiting: Map<number, Waiting>
  /** Rejects if the function fails to boot. */
  booted: Promise<void>
}

interface FunctionWorkerOptions {
  name: string
  /** The worker's script and the function's bundle, as file URLs. */
  script: URL
  bundle: string
  env: () => Record<string, string>
  /**
   * Time limits in ms: for the head of a response and for the work of a retired thread, and for a thread to show that it
   * does not hang.
   */
  answerMs: number
  signOfLifeMs?: number
  /** The thread retires after this time in ms without a request. */
  idleMs?: number | undefined
  log: Logger
}

const MEGABYTES = 256
const IDLE_MS = 60_000

export function createFunctionWorker({
  name,
  script,
  bundle,
  env,
  answerMs,
  signOfLifeMs = 2_000,
  idleMs = IDLE_MS,
  log,
}: FunctionWorkerOptions): FunctionWorker {
  let running: Thread | undefined
  let ids = 0
  let asking = 0
  const threads = new Set<Thread>()

  async function retire(): Promise<void> {
    const thread = running
    running = undefined
    if (!thread) return
    // The requests that are waiting for it to boot come first.
    await thread.booted.catch(() => undefined)
    thread.outbox.put({ retire: true })
    setTimeout(() => void thread.worker.terminate(), answerMs).unref()
  }
  const idle = setTimeout(() => {
    if (asking === 0) void retire()
    else idle.refresh()
  }, idleMs).unref()

  function failAll({ waiting }: Thread, failure: FunctionFailed): void {
    for (const { reject, rest } of waiting.values()) {
      if (rest) rest.destroy(failure)
      else reject(failure)
    }
    waiting.clear()
  }

  /** Ends a thread with everything that it has not finished. */
  async function stop(thread: Thread, failure: FunctionFailed): Promise<void> {
    if (running === thread) running = undefined
    failAll(thread, failure)
    await thread.worker.terminate()
  }

  function start(): Thread {
    const worker = new Worker(script, {
      name,
      env: env(),
      workerData: { bundle },
      resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
    })
    // Limits the wait, since a function that never finishes its imports would keep its callers waiting forever.
    const first = once(worker, 'message', { signal: AbortSignal.timeout(answerMs) })
    const thread: Thread = {
      ...{ worker, outbox: createOutbox(worker), waiting: new Map() },
      booted: first.then(
        () => {
          worker.on('message', (messages: Message[]) => {
            for (const message of messages) hear(thread, message)
          })
          worker.on('error', (error: NodeJS.ErrnoException) => {
            log.error({ err: error, function: name }, 'A function broke')
            const isLimit = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            void stop(
              thread,
              isLimit
                ? new FunctionFailed(546, 'WORKER_LIMIT', 'Worker exceeded its memory limit')
                : new FunctionFailed(500, 'WORKER_ERROR', 'Worker broke (please check logs)'),
            )
          })
          worker.unref()
        },
        (error: unknown) => {
          log.error({ err: error, function: name }, 'A function failed to boot')
          const failure = new FunctionFailed(503, 'BOOT_ERROR', 'Worker failed to boot (please check logs)')
          void stop(thread, failure)
          throw failure
        },
      ),
    }
    threads.add(thread)
    worker.once('exit', () => threads.delete(thread))
    return thread
  }

  function hear(
    { waiting }: Thread,
    { id, log: line, failed, status, headers = [], body, ended }: Message,
  ): void {
    if (line !== undefined)
      log.error({ function: name, failed: line }, 'What a function left to be done failed')
    const one = waiting.get(id)
    if (!one) return
    if (failed !== undefined) {
      log.error({ function: name, failed }, 'A function failed')
      const failure = new FunctionFailed(500, 'WORKER_ERROR', 'Internal Server Error')
      if (one.rest) one.rest.destroy(failure)
      else one.reject(failure)
    } else if (one.rest) {
      if (body !== undefined) one.rest.push(body)
      if (ended) one.rest.push(null)
    } else {
      if (!ended) {
        one.rest = startStream(body)
        one.rest.once('close', () => waiting.delete(id))
      }
      one.resolve({ status: status ?? 200, headers, body: one.rest ?? body })
    }
    if (ended || failed !== undefined) waiting.delete(id)
  }

  /** Creates a stream to which the parts of a body are pushed as they arrive. */
  function startStream(first: Message['body']): Readable {
    const rest = new Readable({ read: () => undefined })
    if (first !== undefined) rest.push(first)
    return rest
  }

  /**
   * Stops a thread that hangs, which means that it does not respond to a ping in time. A thread that only waits for I/O
   * does respond.
   */
  async function stopIfHanging(thread: Thread): Promise<void> {
    const heard = on(thread.worker, 'message', { signal: AbortSignal.timeout(signOfLifeMs) })
    thread.outbox.put({ ping: true })
    try {
      for await (const [messages] of heard) if (messages.some(({ pong }: Message) => pong)) return
    } catch {
      log.error({ function: name }, 'A function hung and was stopped')
      await stop(thread, new FunctionFailed(546, 'WORKER_LIMIT', 'Worker exceeded its time limit'))
    }
  }

  /** Sends a request to a thread. */
  function send(thread: Thread, { method, url, headers, body, address }: FunctionRequest): Promise<Answer> {
    ids += 1
    const id = ids
    return new Promise<Answer>((resolve, reject) => {
      const timer = setTimeout(() => {
        thread.waiting.delete(id)
        log.error(
          { function: name, path: new URL(url).pathname, ms: answerMs },
          'A function did not answer in time',
        )
        reject(new FunctionFailed(504, 'IDLE_TIMEOUT', 'The function did not answer in time'))
        void stopIfHanging(thread)
      }, answerMs)
      const settled = <T>(settle: (value: T) => void) => {
        return (value: T) => {
          clearTimeout(timer)
          settle(value)
        }
      }
      thread.waiting.set(id, { resolve: settled(resolve), reject: settled(reject) })
      // One string is copied between threads faster than many. No part contains a line break.
      thread.outbox.put({ id, body, head: [method, url, address, ...headers].join('\n') }, body)
    })
  }

  return {
    ask: async (request) => {
      idle.refresh()
      asking += 1
      try {
        running ??= start()
        const thread = running
        await thread.booted
        return await send(thread, request)
      } finally {
        asking -= 1
      }
    },
    retire,
    close: async () => {
      clearTimeout(idle)
      const failure = new FunctionFailed(503, 'WORKER_ERROR', 'The server is stopping')
      await Promise.all([...threads].map((thread) => stop(thread, failure)))
    },
  }
}
