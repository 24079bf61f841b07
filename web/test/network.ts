// Lets a test decide what becomes of some requests on their way; everything else reaches the real server.
import { vi } from 'vitest'

type Answer = (real: () => Promise<Response>, attempt: number) => Promise<Response>

/**
 * Answers the requests of a method whose address contains `part`; `attempt` counts them from 1. Tells when each was
 * made, in ms as performance.now() gives them. Ends with vi.unstubAllGlobals().
 */
export function intercept(method: string, part: string, answer: Answer): { times: number[] } {
  const real = globalThis.fetch
  const times: number[] = []
  vi.stubGlobal('fetch', (input: string | URL | Request, init?: RequestInit) => {
    const address = input instanceof Request ? input.url : String(input)
    if ((init?.method ?? 'GET') !== method || !address.includes(part)) return real(input, init)
    times.push(performance.now())
    return answer(() => real(input, init), times.length)
  })
  return { times }
}

/** The network is down. */
export const nothing = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'))

/** An error as PostgREST words it. */
export const refusal = (status: number, code: string, message: string): Promise<Response> =>
  Promise.resolve(Response.json({ code, message, details: null, hint: null }, { status }))
