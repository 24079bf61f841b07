import { QueryClient } from '@tanstack/react-query'
import { isRetryable, RATE_LIMITED, toAppError } from './errors.ts'
import { secondsIn } from './rate-limit.ts'

/** The one cache for all server state. Retries only failures that may pass by themselves. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, problem) => failures < 2 && (isRetryable(problem) || isCrowded(problem)),
      },
      // Without a connection a change fails immediately and visibly, instead of being sent later.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/** True if too many of the person's requests are queued at the server; such a refusal gives no time to wait. */
const isCrowded = (problem: unknown) => toAppError(problem).code === RATE_LIMITED && secondsIn(problem) === 0
