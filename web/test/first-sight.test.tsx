// The build fails if a page that it prerenders throws, redirects, shows an alert or has no h1. e2e/first-sight.test.ts
// checks the prerendered pages in a browser.
import { Title } from '@mantine/core'
import { QueryClient } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { expect, it } from 'vitest'
import type { AppRouter } from '#router.ts'
import { LoadFailure } from '#ui/LoadFailure.tsx'
import { renderApp } from '../build/draw-page.tsx'

const fail = (): never => {
  throw new ReferenceError('document is not defined')
}
const Broken = () => fail()
const Late = lazy(async () => ({ default: Broken }))
const heading = <h1>Help</h1>
const nested = (
  <h1>
    <b>Help</b>
  </h1>
)
const suspended = (
  <Suspense fallback={heading}>
    <Late />
  </Suspense>
)
const alarming = (
  <>
    {heading}
    <div role="alert">Plans could not be loaded</div>
  </>
)
const elsewhere = () => {
  throw redirect({ href: '/help' })
}

/** Prerenders a path; the route /help runs `beforeLoad` and shows `page`. */
function draw(page: ReactNode, beforeLoad = () => {}, address = '/help'): Promise<string> {
  const root = createRootRoute({ component: Outlet, notFoundComponent: () => heading })
  const routes = [
    createRoute({ getParentRoute: () => root, path: '/help', component: () => page, beforeLoad }),
    createRoute({ getParentRoute: () => root, path: '/moved', beforeLoad: elsewhere }),
  ]
  const router = createRouter({
    routeTree: root.addChildren(routes),
    history: createMemoryHistory({ initialEntries: [address] }),
    defaultErrorComponent: LoadFailure,
  }) as unknown as AppRouter
  return renderApp({ queryClient: new QueryClient(), router, reader: 'visitor', address })
}

it.each([
  ['has an h1', heading],
  ['has elements in its h1', nested],
  ['has an h1 that the server fills', <Title key="h1" order={1} data-head="heading" />],
])('a page that %s is drawn', async (_, page) => {
  expect(await draw(page)).toContain('<h1')
})

const of = (address: string) => `The first sight of ${address} in "en" for a visitor`
const CANNOT = `${of('/help')} cannot be drawn: ReferenceError: document is not defined`

it.each<[string, string, Parameters<typeof draw>]>([
  ['throws before it is loaded', CANNOT, [heading, fail]],
  ['throws while it is drawn', CANNOT, [<Broken key="broken" />]],
  ['throws in a part that comes later', CANNOT, [suspended]],
  [
    'shows an alert',
    `${of('/help')} shows an alert: <div role="alert">Plans could not be loaded`,
    [alarming],
  ],
  ['has no h1', `${of('/help')} has no h1`, [<h2 key="h2">Help</h2>]],
  ['has an empty h1', `${of('/help')} has no h1`, [<Title key="h1" order={1} />]],
  ['leads elsewhere', `${of('/moved')} leads to /help`, [heading, undefined, '/moved']],
  ['does not exist', `${of('/nowhere')} does not exist`, [heading, undefined, '/nowhere']],
])('a page that %s fails the build, which names it', async (_, why, page) => {
  await expect(draw(...page)).rejects.toThrow(why)
})
