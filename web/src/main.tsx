import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import '@mantine/dates/styles.layer.css'
import '@mantine/carousel/styles.layer.css'
import '#ui/fonts.css'
import '#ui/global.css'
import type { QueryClient } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { completeArrival } from './features/auth/arrival.ts'
import { loadConfig } from './lib/config.ts'
import { createQueryClient } from './lib/query-client.ts'
import { currentSession, followSession } from './lib/session.ts'
import { connectSupabase } from './lib/supabase.ts'
import { type AppRouter, createAppRouter } from './router.ts'
import { StartFailure } from './ui/StartFailure.tsx'

const place = document.getElementById('root') ?? document.body
const root = createRoot(place)

async function start() {
  const client = connectSupabase(await loadConfig())
  followSession(client)
  if (import.meta.env.DEV || import.meta.env.MODE === 'preview') {
    const { resumeDevelopmentSession } = await import('./features/auth/development-session.ts')
    resumeDevelopmentSession(window.location)
  }
  await completeArrival(client, window)
  const queryClient = createQueryClient()
  const router = createAppRouter(queryClient)
  if (place.hasAttribute('data-ahead')) await untilAlike(queryClient, router)
  place.removeAttribute('data-ahead')
  root.render(
    <StrictMode>
      <App queryClient={queryClient} router={router} />
    </StrictMode>,
  )
}

/** What was built ahead stays until the app has the same to show, or for three seconds. */
async function untilAlike(queryClient: QueryClient, router: AppRouter): Promise<void> {
  const patience = performance.now() + 3000
  await router.load()
  const alike = () => currentSession().status !== 'loading' && queryClient.isFetching() === 0
  while (!alike() && performance.now() < patience) await new Promise((again) => setTimeout(again, 25))
}

start().catch(() => {
  place.removeAttribute('data-ahead')
  root.render(<StartFailure />)
})
