import type { QueryClient } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { routeTree } from './routeTree.gen.ts'
import { LoadFailure } from './ui/LoadFailure.tsx'
import { PageLoading } from './ui/PageLoading.tsx'

/** The app's routes over one query cache. Tests pass a history of their own. */
export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    // Freshness is the query cache's business.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultPendingComponent: PageLoading,
    defaultPendingMs: 300,
    defaultErrorComponent: LoadFailure,
    ...(history ? { history } : {}),
  })
}

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
  interface StaticDataRouteOption {
    /** What a visitor reads on the way to sign-in; a route says it when "sign in" alone would puzzle. */
    signInNotice?: { title: string; text?: string }
    /** What a person reads when the page could not be opened. */
    openFailed?: string
  }
  interface HistoryState {
    /** Where a person was going before they had to sign in (AUTH-09). */
    from?: string
  }
}
