import type { QueryClient } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import type { ExpiredLinkState } from '#features/account/auth/ExpiredLink.tsx'
import { languagePrefix } from './lib/language.ts'
import { routeTree } from './routeTree.gen.ts'
import { LoadFailure } from './ui/LoadFailure.tsx'
import { PageLoading } from './ui/Skeletons.tsx'

interface RouterParts {
  /** Connects to the backend where that has not happened yet. */
  connect?: () => Promise<unknown>
  history?: RouterHistory
}

/** The app's routes over one query cache. Tests connect before, and pass a history of their own. */
export function createAppRouter(
  queryClient: QueryClient,
  { connect = () => Promise.resolve(), history }: RouterParts = {},
) {
  return createRouter({
    routeTree,
    basepath: languagePrefix || '/',
    context: { queryClient, connect },
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
    /** A page to read: a visitor gets it without the backend's client. */
    reading?: boolean
  }
  interface HistoryState {
    /** Where a person was going before they had to sign in. */
    from?: string
    /** The link of a mail that led here was used or has expired. */
    linkOver?: ExpiredLinkState
  }
}
