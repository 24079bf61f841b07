import { renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useSoon } from './use-soon.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

describe('a refresh asked for', () => {
  it('comes 500 ms later, once for all who asked meanwhile', () => {
    const work = vi.fn()
    const { result } = renderHook(() => useSoon(work))
    result.current()
    vi.advanceTimersByTime(300)
    result.current()
    vi.advanceTimersByTime(199)
    expect(work).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(work).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(5000)
    expect(work).toHaveBeenCalledTimes(1)
    result.current()
    vi.advanceTimersByTime(500)
    expect(work).toHaveBeenCalledTimes(2)
  })

  it('waits longer when looking is not allowed before', () => {
    const work = vi.fn()
    const allowedFrom = Date.now() + 4000
    const { result } = renderHook(() => useSoon(work, () => allowedFrom))
    result.current()
    vi.advanceTimersByTime(3999)
    expect(work).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(work).toHaveBeenCalledTimes(1)
  })

  it('does not come any more once the screen is gone', () => {
    const work = vi.fn()
    const { result, unmount } = renderHook(() => useSoon(work))
    result.current()
    unmount()
    vi.advanceTimersByTime(5000)
    expect(work).not.toHaveBeenCalled()
  })
})
