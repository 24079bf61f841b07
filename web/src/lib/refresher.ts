export interface RefreshPace {
  /** Wishes within this many ms are one. */
  debounceMs: number
  /** No load of its own sooner than this many ms after the one before. */
  throttleMs: number
}

export interface Refresher {
  /** Loads soon, together with whoever else asks. */
  ask: () => void
  /** Loads now. */
  force: () => void
  stop: () => void
}

/**
 * Merges wishes to load again. `lastLoad` tells when there last was a load, by whatever cause, in ms since the epoch
 * (0: never).
 */
export function createRefresher(
  load: () => void,
  lastLoad: () => number,
  { debounceMs, throttleMs }: RefreshPace,
): Refresher {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const force = () => {
    stop()
    load()
  }
  return {
    ask: () => {
      timer ??= setTimeout(force, Math.max(debounceMs, lastLoad() + throttleMs - Date.now()))
    },
    force,
    stop,
  }
}
