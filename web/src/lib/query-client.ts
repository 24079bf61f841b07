import { QueryClient } from '@tanstack/react-query'
import { isRetryable } from './errors.ts'

/** The one cache for all server state. Retries only failures that may pass by themselves. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, problem) => failures < 2 && isRetryable(problem),
      },
      // Without a connection a change fails at once, visibly, instead of being made later.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
