import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { AppError } from './errors.ts'
import { createQueryClient } from './query-client.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it.each([
  ['no network at all', 3, new TypeError('fetch failed')],
  ['a service that is away', 3, new AppError('', 'away', { status: 503 })],
  ['a queue that is full', 3, new AppError('PT429', 'Too many of your requests are waiting')],
  ['a limit', 1, new AppError('PT429', 'Rate limit exceeded.', { values: ['30'] })],
  ['a rule', 1, new AppError('23514', 'No')],
])('what is refused by %s is loaded %s times', async (_what, times, problem) => {
  const load = vi.fn(() => Promise.reject(problem))
  const shown = new QueryObserver(createQueryClient(), { queryKey: ['plans'], queryFn: load })
  onTestFinished(shown.subscribe(() => undefined))
  await vi.advanceTimersByTimeAsync(10_000)
  expect([load.mock.calls.length, shown.getCurrentResult().error]).toEqual([times, problem])
})
