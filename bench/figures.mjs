// Percentiles: the value that this share of the figures stays below.
import { loadavg } from 'node:os'

/** The value that this share of them, from 0 to 1, stays under. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

export const median = (values) => quantile(values, 0.5)

/** How long the work takes, in ms. */
export async function timed(work) {
  const before = performance.now()
  await work()
  return performance.now() - before
}

/** How long it takes each time, once it has been done `warmUp` times; it is told its number. */
export async function timesOf(work, { count, warmUp }) {
  const times = []
  for (let n = 0; n < warmUp + count; n += 1) times.push(await timed(() => work(n)))
  return times.slice(warmUp)
}

export const verdict = (holds) => (holds ? 'PASS' : 'MISS')
export const sayLoad = () => console.log(`Load average at the end: ${loadavg()[0].toFixed(1)}`)
