// Changes what happens to requests between the page and the real server. All changes end with the test, or earlier with
// `heal`.
import { vi } from 'vitest'

/** A method and a part of the URL: `GET /rest/v1/messages`. */
type Wanted = string

interface Sent {
  url: string
  headers: Headers
  body: string
}

/** Decides the response to a request: `send` lets the request through, `attempt` counts from 1. */
type Answer = (
  send: () => Promise<Response>,
  attempt: number,
  signal: AbortSignal | null,
) => Promise<Response>

interface Intercepted {
  /** The matching requests so far. */
  sent: Sent[]
  /** The time of each request, in ms as performance.now() returns them. */
  times: number[]
  heal: () => void
}

interface Rule extends Intercepted {
  method: string
  part: string
  answer: Answer
}

let rules: Rule[] = []

function watch(): void {
  const real = globalThis.fetch
  rules = []
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    const send = () => real(input, init)
    const rule = rules.find(({ method, part }) => url.includes(part) && method === (init?.method ?? 'GET'))
    if (!rule) return send()
    rule.times.push(performance.now())
    rule.sent.push({ url, headers: new Headers(init?.headers), body: String(init?.body ?? '') })
    return rule.answer(send, rule.sent.length, init?.signal ?? null)
  })
}

/**
 * Lets `answer` decide the responses to the matching requests, or only records the requests; the newest call applies.
 */
export function intercept(wanted: Wanted, answer: Answer = (send) => send()): Intercepted {
  if (!vi.isMockFunction(globalThis.fetch)) watch()
  const [method = '', part = ''] = wanted.split(' ')
  const heal = () => {
    rules = rules.filter((other) => other !== rule)
  }
  const rule: Rule = { method, part, answer, sent: [], times: [], heal }
  rules = [rule, ...rules]
  return rule
}

/** Fails with the browser's error for a request without a response. */
export const noAnswer = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'))

/** Responds with an error in PostgREST's format. */
export const refusal = (
  status: number,
  code: string,
  message: string,
  ...values: string[]
): Promise<Response> =>
  Promise.resolve(
    Response.json({ code, message, details: JSON.stringify({ values }), hint: null }, { status }),
  )

/** Makes the network fail for these requests. */
export const failNetwork = (wanted: Wanted) => intercept(wanted, noAnswer)

/** Aborts these requests, as the browser does when a person leaves the page. */
export const abort = (wanted: Wanted) =>
  intercept(wanted, () => Promise.reject(new DOMException('The operation was aborted.', 'AbortError')))

/** Answers these requests with an error of the database. */
export const refuse = (wanted: Wanted, code: string, message = 'refused', status = 400) =>
  intercept(wanted, () => refusal(status, code, message))

/** Answers these requests with 503, as a gateway does when the service behind it is down. */
export const beAway = (wanted: Wanted) =>
  intercept(wanted, () => Promise.resolve(new Response('{}', { status: 503 })))

/** Never answers these requests; they end when the client aborts them. */
export const hang = (wanted: Wanted) =>
  intercept(
    wanted,
    (_send, _attempt, signal) =>
      new Promise((_answer, giveUp) => {
        if (signal?.aborted) giveUp(signal.reason)
        signal?.addEventListener('abort', () => giveUp(signal.reason))
      }),
  )

/** Holds these requests and all later ones until they are let through or fail. */
export function hold(wanted: Wanted) {
  let letGo: () => void = () => undefined
  let fail: () => void = () => undefined
  const free = new Promise<void>((go, stop) => {
    letGo = go
    fail = () => stop(new TypeError('fetch failed'))
  })
  return { ...intercept(wanted, (send) => free.then(send)), letGo, fail }
}

/** Makes timeouts of exactly these lengths, such as a library's pauses between two attempts, fire immediately. */
export function skipWaits(...waits: number[]): void {
  const real = globalThis.setTimeout
  const wait = (act: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
    real(act, waits.includes(ms) ? 0 : ms, ...given)
  vi.stubGlobal('setTimeout', wait)
}

/** Stops the 15-second timeouts of loads; `end` makes them expire. */
export function endPatience() {
  const clocks: AbortController[] = []
  const real = AbortSignal.timeout.bind(AbortSignal)
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    if (ms !== 15_000) return real(ms)
    const clock = new AbortController()
    clocks.push(clock)
    return clock.signal
  })
  return {
    end: () => {
      for (const clock of clocks) clock.abort(new DOMException('over', 'TimeoutError'))
    },
  }
}

/** Keeps sockets from opening, so that live updates never arrive. */
export function silenceLive(): void {
  vi.stubGlobal(
    'WebSocket',
    class extends EventTarget {
      readonly readyState = 0
      send() {}
      close() {}
    },
  )
}
