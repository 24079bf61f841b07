// The landing page as a file, so that it reads before any script runs, and without one. The build runs this once.
import bundled from '@potluck/supabase/provider-catalogue.json'
import { createMemoryHistory } from '@tanstack/react-router'
import { prerenderToNodeStream } from 'react-dom/static'
import { App } from './app.tsx'
import { catalogueQuery, readCatalogue } from './features/catalogue/catalogue.queries.ts'
import { setConfig } from './lib/config.ts'
import { createQueryClient } from './lib/query-client.ts'
import { assumeVisitor } from './lib/session.ts'
import { createAppRouter } from './router.ts'

/** The markup a visitor sees at /, with the bundled catalogue's prices. */
export async function renderLanding(): Promise<string> {
  // What belongs to one deployment is not known yet: the server fills it in, or the app asks for it when it starts.
  setConfig({
    supabaseUrl: 'http://localhost',
    supabaseAnonKey: 'none',
    outbox: false,
    demo: [],
    logoKey: null,
    operatorName: '{{OPERATOR_NAME}}',
    version: '{{VERSION}}',
  })
  assumeVisitor()
  const queryClient = createQueryClient()
  queryClient.setQueryData(catalogueQuery.queryKey, await readCatalogue(bundled))
  const router = createAppRouter(queryClient, { history: createMemoryHistory({ initialEntries: ['/'] }) })
  await router.load()
  const { prelude } = await prerenderToNodeStream(
    <App queryClient={queryClient} router={router} />,
    // Everything in its place: what React would swap in later, a page without scripts never shows.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  )
  let html = ''
  for await (const part of prelude) html += part
  // The served policy refuses scripts inside a page, and the router's one is of no use before the app starts.
  return html.replace(/<script\b.*?<\/script>/gs, '')
}
