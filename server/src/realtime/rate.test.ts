import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Allowance } from './rate.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

test('a rate gives so many at once, as many a second from then on, and never saves up more', () => {
  const allowance = new Allowance({ burst: 3, perSecond: 20 })
  const taken = () => [1, 2, 3, 4].filter(() => allowance.take()).length
  expect(taken()).toBe(3)
  const after = [49, 1, 100, 60_000].map((ms) => {
    vi.advanceTimersByTime(ms)
    return taken()
  })
  expect(after).toEqual([0, 1, 2, 3])
})
