// Draws a page as a visitor sees it once its data has arrived.
import type { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { loadConfig, setConfig } from '#lib/config.ts'
import { createQueryClient } from '#lib/query-client.ts'
import { assumeVisitor } from '#lib/session.ts'
import { createAppRouter } from '#router.ts'
import { renderApp } from './draw-page.tsx'
import { asFirstSight } from './first-sight-markup.ts'

const { env } = Deno
const [API = '', SITE = ''] = ['SUPABASE_URL', 'SITE_URL'].map((name) => env.get(name))
/** The most times that a page is drawn: parts of it may ask for data that only they need. */
const ROUNDS = 3

/** The address of the visitor for whom the page is drawn, which counts against its limits. */
let visitor = ''
const { fetch: send } = globalThis
/** Reads from the server itself. A page may be shared for two seconds, so its data must not be two seconds old already. */
globalThis.fetch = (input, init) =>
  send(String(input).replace(SITE, API), {
    ...init,
    headers: {
      ...(init?.headers as Record<string, string>),
      'cache-control': 'no-cache',
      'x-on-behalf-of': `${env.get('ON_BEHALF_KEY')} ${visitor}`,
    },
  })

/**
 * Returns the markup of the page at this path and query. Throws if there is no such page or its data cannot be loaded.
 */
export async function drawWithData(address: string, from: string): Promise<string> {
  visitor = from
  setConfig({ ...(await loadConfig(`${API}/config.json`)), supabaseUrl: SITE })
  assumeVisitor()
  const queryClient = createQueryClient()
  const start = (at: string) =>
    createAppRouter(queryClient, { history: createMemoryHistory({ initialEntries: [at] }) })
  let router = start(address)
  await router.load()
  const target =
    router._serverResult?.type === 'redirect' && router._serverResult.redirect.headers.get('Location')
  if (target) {
    router = start(target)
    await router.load()
  }
  for (let round = 1; ; round += 1) {
    await loadMissing(queryClient)
    // Errors name the route, since an address may contain a secret.
    const route = router.state.matches.at(-1)?.fullPath ?? ''
    const markup = await renderApp({ queryClient, router, reader: 'visitor', address: route })
    if (missingIn(queryClient).length === 0 || round === ROUNDS) return asFirstSight(markup)
  }
}

/** The data that loaders or parts of the page have asked for, and do not have yet. */
const missingIn = (cache: QueryClient) =>
  cache
    .getQueryCache()
    .findAll({ predicate: ({ state, options }) => state.data === undefined && !isOff(options) })

const isOff = (options: object) => 'enabled' in options && options.enabled === false

const loadMissing = (cache: QueryClient) => Promise.all(missingIn(cache).map((query) => query.fetch()))
