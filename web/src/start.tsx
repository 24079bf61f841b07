import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import '@mantine/dates/styles.layer.css'
import '@mantine/carousel/styles.layer.css'
import '#ui/fonts.css'
import '#ui/global.css'
import type { QueryClient } from '@tanstack/react-query'
import { type ReactNode, StrictMode, startTransition, useEffect, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { applyLaterStyles } from './lib/built-ahead.ts'
import { loadConfig } from './lib/config.ts'
import { createQueryClient } from './lib/query-client.ts'
import { assumeVisitor, currentSession, followSession } from './lib/session.ts'
import { connectSupabase } from './lib/supabase.ts'
import { type AppRouter, createAppRouter } from './router.ts'
import { StartFailure } from './ui/StartFailure.tsx'
import { prepareToasts } from './ui/toasts.ts'

interface StartOptions {
  /** Nobody can be signed in: no tokens are stored, and none arrive. */
  visitor: boolean
  /** The app stands there and can be used. */
  onShown: () => void
}

/**
 * Puts the app in its place. Somebody with tokens is connected first; a visitor only when a page needs the backend's
 * client, or when somebody signs in in another tab.
 */
export async function start(place: HTMLElement, { visitor, onShown }: StartOptions): Promise<void> {
  const root = createRoot(place)
  try {
    const config = await loadConfig()
    const connect = once(async () => {
      const [client] = await Promise.all([connectSupabase(config), prepareToasts()])
      followSession(client, { visitor })
      return client
    })
    if (visitor) {
      assumeVisitor()
      window.addEventListener('storage', ({ newValue }) => newValue && void connect().catch(reportError))
    }
    if (import.meta.env.DEV || import.meta.env.MODE === 'preview') {
      await connect()
      const { resumeDevelopmentSession } = await import('./features/auth/development-session.ts')
      resumeDevelopmentSession(window.location)
    }
    if (!visitor) {
      const { completeArrival } = await import('./features/auth/arrival.ts')
      await completeArrival(await connect(), window)
    }

    const queryClient = createQueryClient()
    const router = createAppRouter(queryClient, { connect })
    await anotherTask()
    await (place.hasAttribute('data-ahead') ? untilAlike(queryClient, router) : loadedOrLate(router))
    // In slices: whoever uses the page meanwhile is not kept waiting.
    startTransition(() =>
      root.render(
        <StrictMode>
          <InPlace of={place} onShown={onShown}>
            <App queryClient={queryClient} router={router} />
          </InPlace>
        </StrictMode>,
      ),
    )
  } catch (problem) {
    endAhead(place)
    root.render(<StartFailure />)
    reportError(problem)
  }
}

/** Lets the browser do what waits, instead of making one long task of the start. */
const anotherTask = () => new Promise((done) => setTimeout(done))

/** What was built ahead stays until the app has the same to show, or for three seconds. */
async function untilAlike(queryClient: QueryClient, router: AppRouter): Promise<void> {
  const patience = performance.now() + 3000
  await router.load()
  const alike = () => currentSession().status !== 'loading' && queryClient.isFetching() === 0
  while (!alike() && performance.now() < patience) await new Promise((again) => setTimeout(again, 25))
}

/** What is loaded before it is drawn can be drawn in slices. What takes longer shows that it does. */
async function loadedOrLate(router: AppRouter): Promise<void> {
  await Promise.race([router.load(), new Promise((late) => setTimeout(late, 300))])
}

interface InPlaceProps {
  of: HTMLElement
  onShown: () => void
  children: ReactNode
}

/** Ends the page built ahead in the moment the app stands there. */
function InPlace({ of: place, onShown, children }: InPlaceProps) {
  useLayoutEffect(() => endAhead(place), [place])
  useEffect(() => {
    onShown()
  }, [onShown])
  return children
}

function endAhead(place: HTMLElement): void {
  place.removeAttribute('data-ahead')
  applyLaterStyles()
}

/** The same promise for everybody who asks, until it fails. */
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
