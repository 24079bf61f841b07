// How changes reach the screens: live from the database, and as browser events of the product.
// Proves EVT 01 10, LIMIT 04 10-12
import { QueryClient, QueryClientProvider, QueryObserver } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectTestSite } from '../../test/site.ts'
import { announce, type BrowserEvents, listen } from './events.ts'
import { useLive } from './live.ts'

it('realtime beats every 30 s, waits 10 s, and reconnects after 1, 2, 5, then 10 s', async () => {
  const { realtime } = await connectTestSite()
  expect([realtime.heartbeatIntervalMs, realtime.timeout]).toEqual([30_000, 10_000])
  expect([1, 2, 3, 4, 50].map((tries) => realtime.reconnectAfterMs(tries))).toEqual([
    1000, 2000, 5000, 10_000, 10_000,
  ])
})

describe('a change', () => {
  const cache = new QueryClient()
  const load = vi.fn(async () => [])
  let leave: () => void

  beforeEach(async () => {
    await connectTestSite()
    vi.useFakeTimers()
    leave = new QueryObserver(cache, { queryKey: ['plans'], queryFn: load }).subscribe(() => undefined)
    await vi.advanceTimersByTimeAsync(0)
    load.mockClear()
  })
  afterEach(() => {
    leave()
    cache.clear()
  })

  const watch = () =>
    renderHook(() => useLive('plans', [{ table: 'shared_subscriptions' }], { keys: [['plans']] }), {
      wrapper: ({ children }) => <QueryClientProvider client={cache}>{children}</QueryClientProvider>,
    })

  it('is loaded 500 ms later, once for all who asked meanwhile', async () => {
    const { result } = watch()
    result.current.soon()
    await vi.advanceTimersByTimeAsync(499)
    expect(load).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(load).toHaveBeenCalledTimes(1)
    result.current.soon()
    await vi.advanceTimersByTimeAsync(300)
    result.current.soon()
    await vi.advanceTimersByTimeAsync(5000)
    expect(load).toHaveBeenCalledTimes(2)
  })

  it('waits no longer than a second and a half where changes do not end', async () => {
    const { result } = watch()
    for (let asked = 0; asked < 15; asked += 1) {
      result.current.soon()
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('is loaded at once when forced', async () => {
    watch().result.current.now()
    await vi.advanceTimersByTimeAsync(0)
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('is not loaded once the screen is gone', async () => {
    const { result, unmount } = watch()
    result.current.soon()
    unmount()
    await vi.advanceTimersByTimeAsync(5000)
    expect(load).not.toHaveBeenCalled()
  })
})

type StatusChange = BrowserEvents['requestStatusChanged']
const change = (more: Partial<StatusChange> = {}): StatusChange => ({
  requestId: 'request-1',
  status: 'approved',
  subscriptionId: 'sub-1',
  at: Date.now(),
  ...more,
})

const tell = (more: Partial<StatusChange> = {}) => announce('requestStatusChanged', change(more))

describe('a status event', () => {
  let heard: StatusChange[]
  let stop: () => void
  beforeEach(() => {
    vi.useFakeTimers()
    heard = []
    stop = listen('requestStatusChanged', (change) => heard.push(change))
  })
  afterEach(() => stop())

  it('carries request id, status and subscription id to every listener until it stops', () => {
    const others: unknown[] = []
    const raw = (event: Event) => others.push((event as CustomEvent).detail)
    const { at: _at, ...news } = change()
    window.addEventListener('requestStatusChanged', raw)
    tell()
    stop()
    tell({ requestId: 'request-2' })
    window.removeEventListener('requestStatusChanged', raw)
    expect(heard).toEqual([expect.objectContaining(news)])
    expect(others).toEqual([
      expect.objectContaining(news),
      expect.objectContaining({ requestId: 'request-2' }),
    ])
  })

  it('is ignored when it is older than 30 s, and heard when it does not say when it happened', () => {
    tell({ at: Date.now() - 30_001 })
    expect(heard).toEqual([])
    tell({ at: Date.now() - 30_000 })
    expect(heard).toHaveLength(1)
    const { at: _at, ...untimed } = change({ requestId: 'request-2' })
    window.dispatchEvent(new CustomEvent('requestStatusChanged', { detail: untimed }))
    expect(heard).toHaveLength(2)
  })

  it('is processed once by each listener when the same comes again within 10 s, whenever it says it happened', () => {
    const others = vi.fn()
    const stopOther = listen('requestStatusChanged', others)
    tell()
    vi.advanceTimersByTime(9_999)
    tell()
    tell({ at: Date.now() - 5000 })
    expect([heard.length, others.mock.calls.length]).toEqual([1, 1])
    vi.advanceTimersByTime(1)
    tell()
    expect(heard).toHaveLength(2)
    stopOther()
  })

  it('is heard when anything about it differs', () => {
    tell()
    tell({ status: 'cancelled' })
    tell({ requestId: 'request-2' })
    tell({ subscriptionId: 'sub-2' })
    expect(heard).toHaveLength(4)
  })
})

it('every other event is heard each time', () => {
  const refresh = vi.fn()
  const stop = listen('forceSubscriptionsRefresh', refresh)
  announce('forceSubscriptionsRefresh')
  announce('forceSubscriptionsRefresh')
  stop()
  expect(refresh).toHaveBeenCalledTimes(2)
})
