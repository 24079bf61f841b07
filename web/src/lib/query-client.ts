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
      // Without a connection a change fails at once, where it can be seen, instead of being made some time later.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
