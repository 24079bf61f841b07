import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import '#ui/fonts.css'
import '#ui/global.css'
import type { QueryClient } from '@tanstack/react-query'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { holdForeignTokens } from './features/account/auth/foreign-session.ts'
import { loadConfig } from './lib/config.ts'
import { connectSupabase } from './lib/connect.ts'
import { translateRefusals, wordMissingParts } from './lib/errors.ts'
import { watchFirstSight } from './lib/first-sight.ts'
import { ENGLISH, language } from './lib/language.ts'
import { createQueryClient } from './lib/query-client.ts'
import { assumeVisitor, followSession } from './lib/session.ts'
import { watchSite } from './lib/site.ts'
import { type AppRouter, createAppRouter } from './router.ts'
import { StartFailure } from './ui/StartFailure.tsx'
import { prepareToasts } from './ui/toasts.ts'

const place = document.getElementById('root') ?? document.body
// start.js has already looked for a session in storage and in the URL.
const visitor = document.documentElement.dataset.returning === undefined
/**
 * True at the only path whose document may load Stripe's script (page-sources.json); a document keeps that right until
 * the browser leaves it.
 */
const hasPolicyOfItsOwn = () => /\/cards\/add\/?$/.test(window.location.pathname)
const opened = hasPolicyOfItsOwn()
const sight = place.querySelector<HTMLElement>(`[data-first-sight="${visitor ? 'visitor' : 'member'}"]`)

/**
 * Replaces the prerendered page with the app. For people with tokens, connects to the backend first; for visitors,
 * connects only when a page needs the backend's client, or after a sign-in in another tab.
 */
async function start(): Promise<void> {
  wordMissingParts()
  holdForeignTokens(window)
  watchSite({})
  const root = createRoot(place)
  const carryOverInput = sight ? watchFirstSight(sight) : undefined
  try {
    const config = await loadConfig()
    watchSite(config)
    const connect = once(async () => {
      const [client] = await Promise.all([connectSupabase(config), prepareToasts()])
      followSession(client, { visitor })
      return client
    })
    const queryClient = createQueryClient()
    const restored = import('./lib/offline.ts').then(({ preferKept }) => preferKept(queryClient))
    if (visitor) {
      assumeVisitor()
      window.addEventListener('storage', ({ newValue }) => newValue && void connect().catch(reportError))
    }
    if (import.meta.env.DEV || import.meta.env.MODE === 'preview') {
      await connect()
      const { resumeDevelopmentSession } = await import('./features/account/auth/development-session.ts')
      resumeDevelopmentSession(window.location)
    }
    if (!visitor) {
      const { completeArrival } = await import('./features/account/auth/arrival.ts')
      await completeArrival(await connect(), window)
    }

    const { href } = window.location
    const router = createAppRouter(queryClient, { connect })
    const carryOver = () => {
      carryOverInput?.()
      // A link of the prerendered page that was pressed meanwhile has changed the address (start.js).
      if (window.location.href !== href) void router.load()
    }
    router.subscribe('onResolved', () => hasPolicyOfItsOwn() !== opened && window.location.reload())
    if (!visitor) await restored
    await anotherTask()
    await loadedOrLate(router, queryClient)
    // A transition renders in slices, so that people using the page do not have to wait.
    startTransition(() =>
      root.render(
        <StrictMode>
          <App {...{ queryClient, router, carryOver }} />
        </StrictMode>,
      ),
    )
    if (language !== ENGLISH) setTimeout(() => translateRefusals().catch(reportError), 1000)
    // On a slow connection, fonts load last.
    setTimeout(() => document.documentElement.removeAttribute('data-slow'), 3000)
  } catch (problem) {
    root.render(<StartFailure />)
    reportError(problem)
  }
}

/** Lets pending work of the browser run, instead of making the start one long task. */
const anotherTask = () => new Promise((done) => setTimeout(done))

/**
 * Waits until the page's data has loaded, or for a time limit: a page with its data can be rendered in slices. After
 * the limit the page shows that it is loading, unless it was prerendered. A page that shows what was seen last has more
 * time. Visitors' pages wait for all queries, so that
 * they are rendered only once.
 */
async function loadedOrLate(router: AppRouter, cache: QueryClient): Promise<void> {
  const asked = async () => {
    await router.load()
    if (!visitor) return
    await Promise.all(
      cache
        .getQueryCache()
        .findAll({ fetchStatus: 'fetching' })
        .map(({ promise }) => promise),
    )
  }
  // A failure is shown by the page itself.
  const most = sight?.dataset.last === undefined ? (sight ? 3000 : 300) : 15_000
  await Promise.race([asked().catch(() => undefined), later(most)])
}

const later = (ms: number) => new Promise<void>((late) => setTimeout(late, ms))

/** Calls `make` once and returns the same promise each time, until it fails. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((problem: unknown) => {
      made = undefined
      throw problem
    })
    return made
  }
}

void start()
