import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRefresher } from './refresher.ts'

const PACE = { debounceMs: 500, throttleMs: 5000 }
let loadedAt = 0
const load = vi.fn(() => {
  loadedAt = Date.now()
})
const refresher = () => createRefresher(load, () => loadedAt, PACE)

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z') })
  load.mockClear()
  loadedAt = 0
})
afterEach(() => vi.useRealTimers())

describe('refreshing a list', () => {
  it('waits 500 ms and takes every wish of that time as one', () => {
    const { ask } = refresher()
    ask()
    vi.advanceTimersByTime(499)
    ask()
    expect(load).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(load).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(10_000)
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('lets five seconds pass after any load, and then loads once for all who asked', () => {
    const { ask } = refresher()
    loadedAt = Date.now()
    vi.advanceTimersByTime(1000)
    ask()
    vi.advanceTimersByTime(3999)
    ask()
    expect(load).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('loads at once when forced, and not again for those who had asked before', () => {
    const { ask, force } = refresher()
    loadedAt = Date.now()
    ask()
    force()
    expect(load).toHaveBeenCalledTimes(1)
    force()
    expect(load).toHaveBeenCalledTimes(2)
    vi.advanceTimersByTime(10_000)
    expect(load).toHaveBeenCalledTimes(2)
  })

  it('loads nothing any more once it was stopped', () => {
    const { ask, stop } = refresher()
    ask()
    stop()
    vi.advanceTimersByTime(10_000)
    expect(load).not.toHaveBeenCalled()
  })
})
