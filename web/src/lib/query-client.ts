import { QueryClient } from '@tanstack/react-query'
import { isRetryable } from './errors.ts'

/** One cache for all server state. Only failures that may pass by themselves are asked again. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, problem) => failures < 2 && isRetryable(problem),
      },
      mutations: { retry: false },
    },
  })
}
