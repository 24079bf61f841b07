import { QueryClient, QueryClientProvider, QueryObserver } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setConfig } from './config.ts'
import { useLive } from './live.ts'
import { connectSupabase } from './supabase.ts'

const cache = new QueryClient()
const load = vi.fn(async () => [])
let leave: () => void

beforeEach(async () => {
  await connectSupabase(
    setConfig({
      supabaseUrl: 'http://127.0.0.1:9',
      supabaseAnonKey: 'key',
      outbox: false,
      demo: [],
      logoKey: null,
      operatorName: 'Potluck Test',
    }),
  )
  vi.useFakeTimers()
  leave = new QueryObserver(cache, { queryKey: ['plans'], queryFn: load }).subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(0)
  load.mockClear()
})
afterEach(() => {
  leave()
  cache.clear()
  vi.useRealTimers()
})

const listen = () =>
  renderHook(() => useLive('plans', [{ table: 'shared_subscriptions' }], { keys: [['plans']] }), {
    wrapper: ({ children }) => <QueryClientProvider client={cache}>{children}</QueryClientProvider>,
  })

it('loads again 500 ms later, once for all who asked meanwhile', async () => {
  const { result } = listen()
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
  const { result } = listen()
  for (let asked = 0; asked < 15; asked += 1) {
    result.current.soon()
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(load).toHaveBeenCalledTimes(1)
})

it('loads at once when forced', async () => {
  listen().result.current.now()
  await vi.advanceTimersByTimeAsync(0)
  expect(load).toHaveBeenCalledTimes(1)
})

it('loads nothing once the screen is gone', async () => {
  const { result, unmount } = listen()
  result.current.soon()
  unmount()
  await vi.advanceTimersByTimeAsync(5000)
  expect(load).not.toHaveBeenCalled()
})
