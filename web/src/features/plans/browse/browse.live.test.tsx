// Tests how often the counts are reloaded while plans appear, fill up and end.
import { QueryClient, QueryClientProvider, QueryObserver } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { announce } from '#lib/events.ts'
import { connectTestSite } from '../../../../test/site.ts'
import { useBrowseLive } from './browse.live.ts'
import { marketKeys } from './market.queries.ts'

it('counts follow changes after half a second, then five seconds apart, and at once when forced', async () => {
  const site = await connectTestSite()
  vi.useFakeTimers()
  const cache = new QueryClient()
  const load = vi.fn(async () => [])
  const leave = new QueryObserver(cache, { queryKey: marketKeys.counts, queryFn: load }).subscribe(() => {})
  await vi.advanceTimersByTimeAsync(0)
  load.mockClear()
  const { unmount } = renderHook(useBrowseLive, {
    wrapper: ({ children }) => <QueryClientProvider client={cache}>{children}</QueryClientProvider>,
  })
  await vi.advanceTimersByTimeAsync(0)
  const news = { table: 'shared_subscriptions', eventType: 'UPDATE', new: { id: 'sub-1' } }
  const change = () => site.getChannels()[0]?.bindings.postgres_changes?.[0]?.callback(news, '', '')
  const loadsAfter = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    return load.mock.calls.length
  }
  change()
  change()
  expect([await loadsAfter(499), await loadsAfter(1)]).toEqual([0, 1])
  change()
  expect([await loadsAfter(4999), await loadsAfter(1)]).toEqual([1, 2])
  announce('forceSubscriptionsRefresh')
  expect(await loadsAfter(0)).toBe(3)
  unmount()
  leave()
  cache.clear()
})
