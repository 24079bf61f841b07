import { AppError } from './errors.ts'

const TIMED_OUT = 'timed_out'

/**
 * Gives a load `ms` milliseconds (LIMIT-05: 15 s) and cancels it then or when `signal` does.
 * Throws an AppError "Request timeout" (ERR-14) when the time ran out.
 */
export async function withDeadline<T>(
  signal: AbortSignal,
  load: (signal: AbortSignal) => Promise<T>,
  ms = 15_000,
): Promise<T> {
  const deadline = AbortSignal.timeout(ms)
  try {
    return await load(AbortSignal.any([signal, deadline]))
  } catch (problem) {
    if (deadline.aborted && !signal.aborted)
      throw new AppError(TIMED_OUT, 'Request timeout', { cause: problem })
    throw problem
  }
}
