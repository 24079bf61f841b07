// What a page of the app shows before its scripts have come, for the build: the app's own first sight of it, with
// nothing loaded yet.
import { onlineManager } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { App } from '#app.tsx'
import { createQueryClient } from '#lib/query-client.ts'
import { assumeVisitor } from '#lib/session.ts'
import { createAppRouter } from '#router.ts'
import { forAnySite } from '../landing/any-site.ts'

/** The markup that a visitor finds at this address. */
export async function renderFirstSight(address: string): Promise<string> {
  forAnySite()
  // What is asked for waits for a connection that never comes.
  onlineManager.setOnline(false)
  assumeVisitor()
  const queryClient = createQueryClient()
  const history = createMemoryHistory({ initialEntries: [address] })
  const router = createAppRouter(queryClient, { history })
  await router.load()
  const markup = renderToString(<App queryClient={queryClient} router={router} />)
  // React leaves to the browser what it could not draw.
  const [failure] = /data-msg="[^"]*"/.exec(markup) ?? []
  if (failure) throw new Error(`${address} cannot be drawn by the build: ${failure}`)
  // The router's own, for a page that it takes over; the served policy refuses it.
  return markup.replace(/<script[\s\S]*?<\/script>/g, '')
}
