// Concurrent actions. On PGlite they run one after the other; on Postgres they really race.

/** Starts all actions at the same time; counts the successes, and the refusals by code and message. */
export async function race(work: readonly (() => Promise<unknown>)[]): Promise<Record<string, number>> {
  const outcomes = await Promise.allSettled(work.map((start) => start()))
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) {
    const key = outcome.status === 'fulfilled' ? 'done' : `${outcome.reason.code}: ${outcome.reason.message}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

export const times = (count: number, work: () => Promise<unknown>) =>
  Array.from({ length: count }, () => work)
