// Proves EVT 10, ERR 14, LIMIT 05
import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { patch } from './cache.ts'
import { AppError } from './errors.ts'
import { pagedQuery, query, reloadPaced } from './query.ts'

const START = new Date('2026-11-21T12:00:00Z').getTime()
let cache: QueryClient
let ended: (() => void)[]
beforeEach(() => {
  vi.useFakeTimers({ now: START })
  cache = new QueryClient()
  ended = []
})
afterEach(() => {
  for (const end of ended) end()
  cache.clear()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Shows a query that is loaded by `load`. Returns the time of each load, in ms from the start. */
async function show(options: { pace?: number; limit?: 'view requests' }, load = async () => 'plans') {
  const times: number[] = []
  const timed = query({
    key: ['plans'],
    load: () => {
      times.push(Date.now() - START)
      return load()
    },
    ...options,
  })
  ended.push(new QueryObserver(cache, { ...timed, retry: false }).subscribe(() => undefined))
  await vi.advanceTimersByTimeAsync(0)
  return times
}
const changeAfter = async (ms: number) => {
  await vi.advanceTimersByTimeAsync(ms)
  reloadPaced(cache, ['plans'])
  await vi.advanceTimersByTimeAsync(0)
}

describe('a load', () => {
  const never = () => new Promise<string>(() => undefined)
  const run = (load: (signal: AbortSignal) => Promise<string>) =>
    cache.fetchQuery({ ...query({ key: ['plans'], load }), retry: false })
  const clock = () => {
    const ticking = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(ticking.signal)
    return { timeout, end: () => ticking.abort() }
  }

  it('has 15 seconds, then says that it took too long', async () => {
    const { timeout, end } = clock()
    let given: AbortSignal | undefined
    const load = run((signal) => {
      given = signal
      return never()
    })
    expect(timeout).toHaveBeenCalledExactlyOnceWith(15_000)
    expect(given?.aborted).toBe(false)
    end()
    await expect(load).rejects.toMatchObject({ code: 'timed_out', message: 'Request timeout' })
    expect(given?.aborted).toBe(true)
  })

  it('passes when it is in time, and so does its own failure', async () => {
    await expect(run(() => Promise.resolve('plans'))).resolves.toBe('plans')
    cache.clear()
    await expect(run(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  })

  it('is cancelled with whoever asked', async () => {
    let given: AbortSignal | undefined
    const load = run((signal) => {
      given = signal
      return never()
    })
    await cache.cancelQueries({ queryKey: ['plans'] })
    await expect(load).rejects.toThrow()
    expect(given?.aborted).toBe(true)
  })

  it('that was one too many is repeated as soon as it is allowed', async () => {
    let refusals = 1
    const times = await show({ limit: 'view requests' }, async () => {
      if (refusals-- > 0) throw new AppError('PT429', 'Rate limit exceeded.', { values: ['7'] })
      return 'plans'
    })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(times).toEqual([0, 7000])
  })
})

describe('a query with a pace of five seconds', () => {
  it('is not loaded again sooner than that after any load, and once for all changes meanwhile', async () => {
    const times = await show({ pace: 5000 })
    await changeAfter(1000)
    await changeAfter(3999)
    expect(times).toEqual([0])
    await vi.advanceTimersByTimeAsync(1)
    expect(times).toEqual([0, 5000])
    await changeAfter(20_000)
    await vi.advanceTimersByTimeAsync(1)
    expect(times).toEqual([0, 5000, 25_001])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(times).toHaveLength(3)
  })

  it('is loaded at once when forced, and not again for what had changed before', async () => {
    const times = await show({ pace: 5000 })
    await changeAfter(1000)
    void cache.invalidateQueries({ queryKey: ['plans'] })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(times).toEqual([0, 1000])
  })

  it('is still loaded again when what is shown has been changed meanwhile', async () => {
    const times = await show({ pace: 5000 })
    await changeAfter(1000)
    patch(cache, ['plans'], () => 'other plans')
    expect(cache.getQueryData(['plans'])).toBe('other plans')
    await vi.advanceTimersByTimeAsync(4000)
    expect(times).toEqual([0, 5000])
  })

  it('is not asked for again and again while it fails', async () => {
    const times = await show({ pace: 5000 }, () => Promise.reject(new Error('broken')))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(times).toEqual([0])
    await changeAfter(0)
    expect(times).toEqual([0, 60_000])
  })
})

it('a query without a pace follows each change at once', async () => {
  const times = await show({})
  await changeAfter(100)
  await changeAfter(100)
  expect(times).toEqual([0, 100, 200])
})

it('what is loaded while the screen changes is loaded again', async () => {
  let answer: (plans: string) => void = () => undefined
  const times = await show(
    {},
    () =>
      new Promise((done) => {
        answer = done
      }),
  )
  answer('plans')
  await changeAfter(100)
  patch(cache, ['plans'], () => 'other plans')
  expect(times).toEqual([0, 100, 100])
})

it('a list that is growing is loaded again when it has grown', async () => {
  const starts: number[] = []
  const numbers = pagedQuery({
    key: ['plans'],
    size: 2,
    load: async ({ after }: { after: number | null }) => {
      starts.push(after ?? 0)
      await new Promise((loaded) => setTimeout(loaded, 100))
      return [(after ?? 0) + 1, (after ?? 0) + 2]
    },
  })
  const list = new InfiniteQueryObserver(cache, { ...numbers, retry: false })
  ended.push(list.subscribe(() => undefined))
  await vi.advanceTimersByTimeAsync(100)
  void list.fetchNextPage()
  await vi.advanceTimersByTimeAsync(50)
  reloadPaced(cache, ['plans'])
  await vi.advanceTimersByTimeAsync(50)
  expect(list.getCurrentResult().data).toEqual([1, 2, 3, 4])
  await vi.advanceTimersByTimeAsync(200)
  expect(starts).toEqual([0, 2, 0, 2])
})

it('what is loading for the first time is loaded again when it has, as it may have read before', async () => {
  const times = await show({}, () => new Promise((loaded) => setTimeout(() => loaded('plans'), 100)))
  await changeAfter(50)
  await vi.advanceTimersByTimeAsync(500)
  expect(times).toEqual([0, 100])
})
