// Generates load with a fixed number of workers, each of which waits for its response before the next request.
import { Pool } from 'undici'
import { quantile } from './figures.mjs'

export const WORKERS = 10

/**
 * Runs `work(n, worker)` from all workers for `seconds`; n starts at `from`. Returns { perSecond, p50, p99
 * (milliseconds), next }. If `work` rejects, the run ends with that error.
 */
export async function drive(work, { seconds, from = 0 }) {
  const times = []
  let next = from
  const started = performance.now()
  const end = started + seconds * 1000
  await Promise.all(
    Array.from({ length: WORKERS }, async (_, worker) => {
      for (let before = performance.now(); before < end; ) {
        await work(next++, worker)
        const after = performance.now()
        times.push(after - before)
        before = after
      }
    }),
  )
  const elapsed = (performance.now() - started) / 1000
  return { perSecond: times.length / elapsed, p50: quantile(times, 0.5), p99: quantile(times, 0.99), next }
}

/**
 * Sends prepared requests over keep-alive connections, one per worker. Throws if a response has a status other than
 * `status`.
 */
export function openConnections(url) {
  const pool = new Pool(url, { connections: WORKERS, pipelining: 1 })
  return {
    send: async (request, status) => {
      const answer = await pool.request(request)
      const body = await answer.body.text()
      if (answer.statusCode !== status) {
        throw new Error(`${request.method} ${url}${request.path} answered ${answer.statusCode}: ${body}`)
      }
      return body
    },
    close: () => pool.close(),
  }
}
