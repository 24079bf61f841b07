// What may happen to a request on its way. Only the way is bent: the server behind it stays the real one.
import { vi } from 'vitest'

/** A part of the address, and the method where it matters. */
interface Wanted {
  path: string
  method?: string
}

type Send = () => Promise<Response>

interface Rule {
  wanted: Wanted
  bend: (send: Send, signal: AbortSignal | null) => Promise<Response>
}

let rules: Rule[] = []

/** Lets `bend` decide what becomes of the wanted requests, until `heal` or the end of the test; the latest wish counts. */
function onTheWay(wanted: Wanted, bend: Rule['bend']): { heal: () => void } {
  if (!vi.isMockFunction(globalThis.fetch)) watchTheWay()
  const rule = { wanted, bend }
  rules = [rule, ...rules]
  return {
    heal: () => {
      rules = rules.filter((other) => other !== rule)
    },
  }
}

function watchTheWay(): void {
  const real = globalThis.fetch
  rules = []
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const { href } = new URL(input instanceof Request ? input.url : input)
    const method = init?.method ?? 'GET'
    const rule = rules.find(({ wanted }) => href.includes(wanted.path) && (wanted.method ?? 'GET') === method)
    const send = () => real(input, init)
    return rule ? rule.bend(send, init?.signal ?? null) : send()
  })
}

/** The network fails for these requests. */
export const failNetwork = (wanted: Wanted) =>
  onTheWay(wanted, () => Promise.reject(new TypeError('fetch failed')))

/** These requests are answered with an error of the database, as PostgREST words it. */
export const refuse = (wanted: Wanted, code: string, message = 'refused', status = 400) =>
  onTheWay(wanted, () =>
    Promise.resolve(Response.json({ code, message, details: null, hint: null }, { status })),
  )

/** These requests are never answered; they end when they are given up. */
export const hang = (wanted: Wanted) =>
  onTheWay(
    wanted,
    (_send, signal) =>
      new Promise((_answer, giveUp) => {
        if (signal?.aborted) giveUp(signal.reason)
        signal?.addEventListener('abort', () => giveUp(signal.reason))
      }),
  )

/** Lets everything through and tells how many of these requests there were. */
export function count(wanted: Wanted): () => number {
  let requests = 0
  onTheWay(wanted, (send) => {
    requests += 1
    return send()
  })
  return () => requests
}

/** Stops the clocks of every load; `end` lets those run out that were set to 15 seconds. */
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

/** Changes are no longer told live: sockets never open. Ends with vi.unstubAllGlobals(). */
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
