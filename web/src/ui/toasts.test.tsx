import { MantineProvider } from '@mantine/core'
import { notifications, notificationsStore } from '@mantine/notifications'
import { MutationObserver, QueryClient } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { act, fireEvent, render } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { local, read, storageKeys, write } from '#lib/storage.ts'
import { leastCovering } from './least-covering.ts'
import { ToastStack } from './ToastStack.tsx'
import { settleToasts, toast, toastError, toastInfo, toastSuccess, toastWarning } from './toasts.ts'

const titles = () => notificationsStore.getState().notifications.map(({ title }) => title)
const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
const root = createRootRoute()
const page = (path: string) => createRoute({ path, getParentRoute: () => root })
const router = createRouter({
  routeTree: root.addChildren([page('/'), page('/form'), page('/done')]),
  history: createMemoryHistory({ initialEntries: ['/form'] }),
})
const said = (selector: string, within: ParentNode) =>
  [...within.querySelectorAll(selector)].map(({ textContent }) => textContent)
let stop: () => void

beforeEach(async () => {
  await router.load()
  stop = settleToasts(queries, router)
})
afterEach(() => {
  stop()
  queries.clear()
  notifications.clean()
})

/** Presses an element, 2 ms after the previous event. */
async function press(target: Element = document.body) {
  await new Promise((moment) => setTimeout(moment, 2))
  fireEvent.pointerDown(target)
  await new Promise((moment) => setTimeout(moment, 2))
}
const attempt = () => new MutationObserver(queries, { mutationFn: async () => 'done' }).mutate()

describe('a toast goes when its matter is settled', () => {
  it('because the same is said again', () => {
    toastError('Sign in Failed', 'Wrong password')
    toastError('Sign in failed', 'Wrong password')
    toastSuccess('Signed in')
    expect(titles()).toEqual(['Sign in failed', 'Signed in'])
  })

  it('because a person tries again, who has read what had failed', async () => {
    toastError('Not sent')
    toastInfo('News')
    await attempt()
    expect(titles()).toEqual(['Not sent', 'News'])
    await press()
    await attempt()
    expect(titles()).toEqual(['News'])
  })

  it('because what could not be loaded has been', async () => {
    const load = {
      queryKey: ['plans'],
      queryFn: vi.fn().mockRejectedValueOnce(new Error()).mockResolvedValue(1),
    }
    await queries.prefetchQuery(load)
    toastError('Not loaded')
    await queries.prefetchQuery({ queryKey: ['other'], queryFn: async () => 1 })
    expect(titles()).toEqual(['Not loaded'])
    await queries.prefetchQuery(load)
    expect(titles()).toEqual([])
  })

  it('because a person is on another page, but not when it was said on the way there', async () => {
    toastError('Old')
    await press()
    toastInfo('New')
    await router.navigate({ href: '/done' })
    expect(titles()).toEqual(['New'])
  })
})

describe('of two places', () => {
  const box = (top: number, bottom: number) => ({ left: 0, right: 100, top, bottom })
  const places = { top: box(0, 100), bottom: box(700, 800) }
  const part = (top: number, bottom: number) => {
    const element = document.createElement('div')
    element.getBoundingClientRect = () => box(top, bottom) as DOMRect
    return element
  }
  it.each([
    ['the first, where nothing is covered', [[part(200, 600)]], 'top'],
    ['the one off the control', [[part(80, 120)], [part(700, 800)]], 'bottom'],
    [
      'the one off the heading, where neither covers the control',
      [[part(200, 240)], [part(90, 110)]],
      'bottom',
    ],
    ['the one that covers less', [[part(50, 790)]], 'top'],
  ])('%s', (_which, spare, place) => {
    expect(leastCovering(places, spare)).toBe(place)
  })
})

it('toasts stand off the control they are about', async () => {
  const button = document.body.appendChild(document.createElement('button'))
  button.getBoundingClientRect = () => ({ left: 0, right: 1024, top: 650, bottom: 694 }) as DOMRect
  await press(button)
  toastError('Not sent')
  const { dataset } = document.documentElement
  expect(dataset.toasts).toBe('top')
  button.remove()
  toastError('Elsewhere')
  expect(dataset.toasts).toBe('bottom')
})

it.each([
  [null, ['Saved', 'Not sent', 'Careful'], []],
  ['true', ['Saved', 'Not sent', 'Careful'], []],
  ['false', [], ['Not sent', 'Careful']],
  ['yes', [], ['Not sent', 'Careful']],
])('with the flag at %s toasts say %j, and the top of the page %j', async (flag, popUp, stay) => {
  write(local, storageKeys.notificationsEnabled, flag)
  const { container, findByText, queryByText } = render(
    <MantineProvider>
      <ToastStack />
    </MantineProvider>,
  )
  act(() => {
    toastSuccess('Saved')
    toastError('Not sent', 'No connection')
    toastWarning('Careful')
  })
  await findByText('Careful')
  expect(said('.mantine-Notification-title', document)).toEqual(popUp)
  expect(said('[role="alert"] .mantine-Alert-title', container)).toEqual(stay)
  expect(queryByText('Saved') !== null).toBe(popUp.length > 0)
})

it('they are on at first, as the flag says', () => {
  stop()
  write(local, storageKeys.notificationsEnabled, null)
  stop = settleToasts(queries, router)
  expect(read(local, storageKeys.notificationsEnabled)).toBe('true')
})

it('a toast leads where its news can be seen', async () => {
  toast('info', 'New Join Request', undefined, '/done')
  const { getByRole } = render(notificationsStore.getState().notifications.at(-1)?.title)
  fireEvent.click(getByRole('link', { name: 'New Join Request' }))
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/done'))
})
