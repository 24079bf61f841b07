import type { QueryClient } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import type { ExpiredLinkState } from '#features/account/auth/ExpiredLink.tsx'
import { languagePrefix } from './lib/language.ts'
import { routeTree } from './routeTree.gen.ts'
import { LoadFailure } from './ui/LoadFailure.tsx'
import { PageLoading } from './ui/Skeletons.tsx'

interface RouterParts {
  /** Connects to the backend if that has not been done yet. */
  connect?: () => Promise<unknown>
  history?: RouterHistory
}

/**
 * Creates the app's router, whose routes share one query cache. By default `connect` does nothing, for tests, which are
 * connected already; they also pass their own history.
 */
export function createAppRouter(
  queryClient: QueryClient,
  { connect = () => Promise.resolve(), history }: RouterParts = {},
) {
  const router = createRouter({
    routeTree,
    basepath: languagePrefix || '/',
    context: { queryClient, connect },
    defaultPreload: 'intent',
    // The query cache decides whether data is fresh.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultPendingComponent: PageLoading,
    defaultPendingMs: 300,
    defaultErrorComponent: LoadFailure,
    ...(history ? { history } : {}),
  })
  const { navigate } = router
  // The pressed link or tab is painted before the next page, which takes a slow phone long to render.
  router.navigate = (async (options: Parameters<typeof navigate>[0]) => {
    if (isPress(window.event)) await painted()
    return navigate(options)
  }) as typeof navigate
  return router
}

/** True for a press of a link or tab. Fields whose value is in the address need it there at once. */
const isPress = (event: Event | undefined) =>
  event?.type === 'click' && event.target instanceof Element && event.target.closest('a, [role=tab]') !== null

/** Resolves after the next frame, or soon in a hidden page, which has none. */
const painted = () =>
  new Promise<void>((done) => {
    if (document.hidden) setTimeout(done)
    else requestAnimationFrame(() => setTimeout(done))
  })

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
  interface StaticDataRouteOption {
    /** The notice for a visitor who is sent to sign-in, for routes where "sign in" alone would be puzzling. */
    signInNotice?: { title: string; text?: string }
    /** The title shown if the page could not be opened. */
    openFailed?: string
    /** The page has no actions, so it opens for visitors without the backend's client. */
    reading?: boolean
    /** The page is shown as it was last seen until the app has started: it never shows a secret. */
    keepsSight?: boolean
    /** The page is for people who know nothing of the site: it has no navigation. */
    plain?: boolean
  }
  interface HistoryState {
    /** The page to which a person was going before they had to sign in. */
    from?: string
    /** The link of a mail that led here was used or has expired. */
    linkOver?: ExpiredLinkState
  }
}
