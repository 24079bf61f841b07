/**
 * The server's rate limits, checked here first to spare people a refusal. Refused attempts count, as on the server;
 * attempts that never reached it do not. The server's response is final.
 */
import { t } from '@lingui/core/macro'
import { ALLOWANCES } from '@potluck/supabase/limits'
import { AppError, isConnectionProblem, RATE_LIMITED, toAppError } from './errors.ts'
import { currentSession } from './session.ts'

export type Limited = keyof typeof ALLOWANCES

const MOST_ENTRIES = 100
const CLEAN_EVERY = 5 * 60_000

interface Entry {
  action: Limited
  /** The times of the attempts, in ms, oldest first. */
  times: number[]
  /** The server refuses everything before this moment, in ms. */
  closedUntil: number
}

/** `now` in ms. */
export function createLimiter(now: () => number = () => Date.now()) {
  const entries = new Map<string, Entry>()
  let willClean = false

  const stillCounts = ({ action }: Entry) => {
    const since = now() - ALLOWANCES[action].seconds * 1000
    return (time: number) => time > since
  }
  const isOver = (entry: Entry) => entry.closedUntil <= now() && !entry.times.some(stillCounts(entry))

  const cleanLater = () => {
    if (willClean) return
    willClean = true
    setTimeout(() => {
      willClean = false
      for (const [key, entry] of entries) if (isOver(entry)) entries.delete(key)
      if (entries.size > 0) cleanLater()
    }, CLEAN_EVERY)
  }

  const entryOf = (action: Limited, who: string): Entry => {
    const key = `${action}:${who}`
    const entry = entries.get(key) ?? { action, times: [], closedUntil: 0 }
    entry.times = entry.times.filter(stillCounts(entry))
    // Entries are ordered by last use, so the first one is the longest unused.
    entries.delete(key)
    for (const oldest of entries.keys()) {
      if (entries.size < MOST_ENTRIES) break
      entries.delete(oldest)
    }
    entries.set(key, entry)
    cleanLater()
    return entry
  }

  /** Seconds until one more is allowed; 0 if it is allowed now. */
  const secondsToWait = (action: Limited, who: string): number => {
    const entry = entryOf(action, who)
    const { attempts, seconds } = ALLOWANCES[action]
    const inTheWay = entry.times.at(-attempts)
    const freeAt = inTheWay === undefined ? 0 : inTheWay + seconds * 1000
    return Math.max(0, Math.ceil((Math.max(freeAt, entry.closedUntil) - now()) / 1000))
  }

  return {
    secondsToWait,
    /**
     * Counts one attempt; throws an AppError PT429 if it is one too many. Returns a function that takes the attempt
     * back.
     */
    take(action: Limited, who: string): () => void {
      const wait = secondsToWait(action, who)
      if (wait > 0)
        throw new AppError(RATE_LIMITED, t`Rate limit exceeded. Please wait ${wait} seconds.`, {
          values: [String(wait)],
        })
      const { times } = entryOf(action, who)
      const time = now()
      times.push(time)
      return () => {
        const { times: kept } = entryOf(action, who)
        const index = kept.lastIndexOf(time)
        if (index >= 0) kept.splice(index, 1)
      }
    },
    /** Records a refusal by the server for this many seconds, since it also counts other tabs and devices. */
    close(action: Limited, who: string, seconds: number): void {
      entryOf(action, who).closedUntil = now() + seconds * 1000
    },
    forget: (action: Limited, who: string) => void entries.delete(`${action}:${who}`),
    size: () => entries.size,
  }
}

export const limiter = createLimiter()

/** The key under which the signed-in person's attempts are counted. */
const me = () => {
  const session = currentSession()
  return session.status === 'signed-in' ? session.user.id : ''
}

/** Runs `work` if the signed-in person is within the limit; throws an AppError PT429 otherwise. */
export async function withinLimit<T>(action: Limited, work: () => PromiseLike<T>): Promise<T> {
  const who = me()
  const takeBack = limiter.take(action, who)
  try {
    return await work()
  } catch (problem) {
    if (isConnectionProblem(problem)) takeBack()
    const seconds = secondsIn(problem)
    if (seconds > 0) limiter.close(action, who, seconds)
    throw problem
  }
}

/** The seconds to wait after a PT429 refusal; 0 for any other problem. */
export function secondsIn(problem: unknown): number {
  const { code, values } = toAppError(problem)
  return code === RATE_LIMITED ? Number(values[0] ?? 0) : 0
}
