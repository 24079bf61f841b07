import { vi } from 'vitest'

/** Waits until the check holds. A machine that runs everything at once may take far longer than one that is idle. */
export const eventually = <T>(
  check: () => T | Promise<T>,
  { interval = 20, timeout = 60_000 } = {},
): Promise<T> => vi.waitFor(check, { interval, timeout })
