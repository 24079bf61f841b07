import { AppError, TIMED_OUT } from './errors.ts'

/**
 * Gives a load `ms` milliseconds and cancels it then or when `signal` does.
 * Throws an AppError "Request timeout" as soon as the time ran out, whatever the load makes of being cancelled.
 */
export async function withDeadline<T>(
  signal: AbortSignal,
  load: (signal: AbortSignal) => Promise<T>,
  ms = 15_000,
): Promise<T> {
  const deadline = AbortSignal.timeout(ms)
  const over = new Promise<never>((_never, giveUp) => {
    deadline.addEventListener('abort', () => giveUp(new AppError(TIMED_OUT, 'Request timeout')))
  })
  return Promise.race([load(AbortSignal.any([signal, deadline])), over])
}
