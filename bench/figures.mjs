// Percentiles and durations.
import { loadavg } from 'node:os'

/** Returns the value below which this share of `values` lies; `share` is from 0 to 1. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

export const median = (values) => quantile(values, 0.5)

/** Returns the duration of `work` in ms. */
export async function timed(work) {
  const before = performance.now()
  await work()
  return performance.now() - before
}

/**
 * Returns the durations in ms of `count` runs of `work`, after `warmUp` runs that do not count. `work` receives the
 * number of the run.
 */
export async function timesOf(work, { count, warmUp }) {
  const times = []
  for (let n = 0; n < warmUp + count; n += 1) times.push(await timed(() => work(n)))
  return times.slice(warmUp)
}

export const verdict = (holds) => (holds ? 'PASS' : 'MISS')
export const sayLoad = () => console.log(`Load average at the end: ${loadavg()[0].toFixed(1)}`)
