import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import '@mantine/dates/styles.layer.css'
import '@mantine/carousel/styles.layer.css'
import '#ui/fonts.css'
import '#ui/global.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { loadConfig } from './lib/config.ts'
import { createQueryClient } from './lib/query-client.ts'
import { followSession } from './lib/session.ts'
import { connectSupabase } from './lib/supabase.ts'
import { createAppRouter } from './router.ts'
import { StartFailure } from './ui/StartFailure.tsx'

const root = createRoot(document.getElementById('root') ?? document.body)

async function start() {
  followSession(connectSupabase(await loadConfig()))
  if (import.meta.env.DEV) {
    const { resumeDevelopmentSession } = await import('./features/auth/development-session.ts')
    resumeDevelopmentSession(window.location)
  }
  const queryClient = createQueryClient()
  const router = createAppRouter(queryClient)
  root.render(
    <StrictMode>
      <App queryClient={queryClient} router={router} />
    </StrictMode>,
  )
}

start().catch(() => root.render(<StartFailure />))
