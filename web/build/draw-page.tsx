// Prerenders one page of the app. The build fails if the page throws, redirects, shows an alert or has no h1.
import type { QueryClient } from '@tanstack/react-query'
import { prerender } from 'react-dom/static'
import { App } from '#app.tsx'
import { language } from '#lib/language.ts'
import type { AppRouter } from '#router.ts'
import type { Reader } from './pages.ts'

interface Page {
  queryClient: QueryClient
  router: AppRouter
  reader: Reader
  address: string
}

/** Returns the app's markup at the path where the router's history starts. */
export async function renderApp({ queryClient, router, reader, address }: Page): Promise<string> {
  const page = nameOf(address, reader)
  await router.load()
  // Outside a browser the router does not follow a redirect, but reports its target in `_serverResult`.
  const result = router._serverResult
  if (result?.type === 'redirect')
    throw new Error(`${page} leads to ${result.redirect.headers.get('Location')}`)
  // For a route that failed, the router draws an error page instead of throwing.
  for (const { status, error, _notFound } of router.state.matches) {
    if (status === 'error') throw failureOf(page, error)
    if (status === 'notFound' || _notFound) throw new Error(`${page} does not exist`)
  }
  const failures: unknown[] = []
  const { prelude } = await prerender(<App queryClient={queryClient} router={router} />, {
    identifierPrefix: reader,
    // Otherwise React would put large parts at the end, for a script to move them into place.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    // React does not throw if a part cannot be drawn, but leaves that part to the browser.
    onError: (problem) => void failures.push(problem),
  })
  const markup = await new Response(prelude).text()
  if (failures.length > 0) throw failureOf(page, failures[0])
  requirePage(markup, page)
  return markup
}

/** The page's name in errors of the build. */
export const nameOf = (address: string, reader: Reader) =>
  `The first sight of ${address} in "${language}" for a ${reader}`

const failureOf = (page: string, cause: unknown) => new Error(`${page} cannot be drawn: ${cause}`, { cause })

const ALERT = /<[^>]* role="alert"[\s\S]{0,300}/
/** An h1 with text, or one marked `data-head`, which the server fills. */
const HEADING = /<h1(?:[^>]* data-head\b[^>]*>|[^>]*>\s*(?:<[^/][^>]*>\s*)*[^<\s])/

/** Throws unless this markup has a heading and no alert. */
export function requirePage(markup: string, page: string): void {
  const [alert] = ALERT.exec(markup) ?? []
  if (alert) throw new Error(`${page} shows an alert: ${alert}`)
  if (!HEADING.test(markup)) throw new Error(`${page} has no h1`)
}
