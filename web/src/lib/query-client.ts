import { onlineManager, QueryClient } from '@tanstack/react-query'
import { isRetryable } from './errors.ts'
import { isOnline, watchOnline } from './online.ts'

/** The one cache for all server state. Retries only failures that may pass by themselves. */
export function createQueryClient(): QueryClient {
  onlineManager.setEventListener((tell) => watchOnline(() => tell(isOnline())))
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
