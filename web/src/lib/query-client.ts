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
      // Without a connection a change fails at once, visibly, instead of being made later.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/** True when too many of the person's requests wait in the server's queue, which says nothing about how long. */
const isCrowded = (problem: unknown) => toAppError(problem).code === RATE_LIMITED && secondsIn(problem) === 0
