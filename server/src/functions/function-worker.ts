// Runs one function in its own thread: started by its first request, restarted after a crash, stopped if it hangs.
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
}

interface FunctionWorkerOptions {
  name: string
  /** The worker's script and the function's bundle, as file URLs. */
  script: URL
  bundle: string
  env: Record<string, string>
  /** Time limits in ms: for the head of a response, and for a thread to show that it does not hang. */
  answerMs: number
  signOfLifeMs?: number
  /** The thread ends after this time in ms without a request, and starts again with the next. */
  idleMs?: number
  log: Logger
}

const MEGABYTES = 256

export function createFunctionWorker({
  name,
  script,
  bundle,
  env,
  answerMs,
  signOfLifeMs = 2_000,
  idleMs,
  log,
}: FunctionWorkerOptions): FunctionWorker {
  let running: Promise<Thread> | undefined
  let ids = 0
  const waiting = new Map<number, Waiting>()

  async function end(): Promise<void> {
    const ending = running
    running = undefined
    await (await ending?.catch(() => undefined))?.worker.terminate()
  }
  const idle =
    idleMs === undefined ? undefined : setTimeout(() => waiting.size === 0 && void end(), idleMs).unref()

  function failAll(failure: FunctionFailed): void {
    for (const { reject, rest } of waiting.values()) {
      if (rest) rest.destroy(failure)
      else reject(failure)
    }
    waiting.clear()
  }

  async function start(): Promise<Thread> {
    const worker = new Worker(script, {
      name,
      env,
      workerData: { bundle },
      resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
    })
    const broke = (error: NodeJS.ErrnoException) => {
      running = undefined
      log.error({ err: error, function: name }, 'A function broke')
      const isLimit = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      failAll(
        isLimit
          ? new FunctionFailed(546, 'WORKER_LIMIT', 'Worker exceeded its memory limit')
          : new FunctionFailed(500, 'WORKER_ERROR', 'Worker broke (please check logs)'),
      )
    }
    // Limits the wait, since a function that never finishes its imports would keep its callers waiting forever.
    const inTime = { signal: AbortSignal.timeout(answerMs) }
    await once(worker, 'message', inTime).catch((error: unknown) => {
      running = undefined
      void worker.terminate()
      log.error({ err: error, function: name }, 'A function failed to boot')
      throw new FunctionFailed(503, 'BOOT_ERROR', 'Worker failed to boot (please check logs)')
    })
    worker.on('message', (messages: Message[]) => messages.forEach(hear))
    worker.on('error', broke)
    worker.unref()
    return { worker, outbox: createOutbox(worker) }
  }

  function hear({ id, log: line, failed, status, headers = [], body, ended }: Message): void {
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
      if (!ended) one.rest = startStream(id, body)
      one.resolve({ status: status ?? 200, headers, body: one.rest ?? body })
    }
    if (ended || failed !== undefined) waiting.delete(id)
  }

  /** Creates a stream to which the parts of a body are pushed as they arrive. */
  function startStream(id: number, first: Message['body']): Readable {
    const rest = new Readable({ read: () => undefined })
    rest.once('close', () => waiting.delete(id))
    if (first !== undefined) rest.push(first)
    return rest
  }

  /**
   * Stops a thread that hangs, which means that it does not respond to a ping in time. A thread that only waits for I/O
   * does respond.
   */
  async function stopIfHanging({ worker, outbox }: Thread): Promise<void> {
    const heard = on(worker, 'message', { signal: AbortSignal.timeout(signOfLifeMs) })
    outbox.put({ ping: true })
    try {
      for await (const [messages] of heard) if (messages.some(({ pong }: Message) => pong)) return
    } catch {
      running = undefined
      log.error({ function: name }, 'A function hung and was stopped')
      await worker.terminate()
      failAll(new FunctionFailed(546, 'WORKER_LIMIT', 'Worker exceeded its time limit'))
    }
  }

  return {
    ask: async ({ method, url, headers, body, address }) => {
      idle?.refresh()
      running ??= start()
      const thread = await running
      ids += 1
      const id = ids
      return new Promise<Answer>((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(id)
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
        waiting.set(id, { resolve: settled(resolve), reject: settled(reject) })
        // One string is copied between threads faster than many. No part contains a line break.
        thread.outbox.put({ id, body, head: [method, url, address, ...headers].join('\n') }, body)
      })
    },
    close: async () => {
      clearTimeout(idle)
      await end()
      failAll(new FunctionFailed(503, 'WORKER_ERROR', 'The server is stopping'))
    },
  }
}
