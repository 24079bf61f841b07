import { vi } from 'vitest'

/** Waits until the check passes. A busy machine may take far longer than an idle one. */
export const eventually = <T>(
  check: () => T | Promise<T>,
  { interval = 20, timeout = 60_000 } = {},
): Promise<T> => vi.waitFor(check, { interval, timeout })
