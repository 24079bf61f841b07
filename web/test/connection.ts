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
  bend: (send: Send, signal: AbortSignal | null, sent: Sent) => Promise<Response>
}

interface Sent {
  url: string
  headers: Headers
  body: string
}

let rules: Rule[] = []

interface Bent {
  heal: () => void
  /** How many requests were met so far. */
  seen: () => number
}

/** Lets `bend` decide what becomes of the wanted requests, until `heal` or the end of the test; the latest wish counts. */
function onTheWay(wanted: Wanted, bend: Rule['bend']): Bent {
  if (!vi.isMockFunction(globalThis.fetch)) watchTheWay()
  let requests = 0
  const rule: Rule = {
    wanted,
    bend: (send, signal, sent) => {
      requests += 1
      return bend(send, signal, sent)
    },
  }
  rules = [rule, ...rules]
  return {
    seen: () => requests,
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
    const sent = { url: href, headers: new Headers(init?.headers), body: String(init?.body ?? '') }
    return rule ? rule.bend(send, init?.signal ?? null, sent) : send()
  })
}

/** The network fails for these requests. */
export const failNetwork = (wanted: Wanted) =>
  onTheWay(wanted, () => Promise.reject(new TypeError('fetch failed')))

/** The browser gives these requests up, as it does when a page is left. */
export const abort = (wanted: Wanted) =>
  onTheWay(wanted, () => Promise.reject(new DOMException('The operation was aborted.', 'AbortError')))

/** These requests are answered with an error of the database, as PostgREST words it. */
export const refuse = (wanted: Wanted, code: string, message = 'refused', status = 400) =>
  onTheWay(wanted, () =>
    Promise.resolve(Response.json({ code, message, details: null, hint: null }, { status })),
  )

/** The service behind these requests is away, as a gateway says it. */
export const beAway = (wanted: Wanted) =>
  onTheWay(wanted, () => Promise.resolve(new Response('{}', { status: 503 })))

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

/** These requests wait; `fail` lets those that wait, and all later ones, run into a broken network. */
export function delay(wanted: Wanted) {
  let fail: () => void = () => undefined
  const broken = new Promise<never>((_never, reject) => {
    fail = () => reject(new TypeError('fetch failed'))
  })
  return { ...onTheWay(wanted, () => broken), fail }
}

/** Keeps these requests waiting until `letGo`, and tells what they were. */
export function hold(wanted: Wanted): { letGo: () => void; requests: () => Sent[] } {
  const sent: Sent[] = []
  let letGo: () => void = () => undefined
  const free = new Promise<void>((done) => {
    letGo = done
  })
  onTheWay(wanted, async (send, _signal, request) => {
    sent.push(request)
    await free
    return send()
  })
  return { letGo, requests: () => sent }
}

/** Lets everything through and tells how many of these requests there were. */
export const count = (wanted: Wanted): (() => number) => onTheWay(wanted, (send) => send()).seen

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
