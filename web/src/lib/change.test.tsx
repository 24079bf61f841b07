// The state of lists between a change and the load that includes it.
import { QueryClient, QueryClientProvider, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { useChange } from './change.ts'
import { pagedQuery, query } from './query.ts'

let cache: QueryClient
let stored: string[]
let loads: number

beforeEach(() => {
  cache = new QueryClient({ defaultOptions: { queries: { staleTime: 30_000 } } })
  stored = []
  loads = 0
})

const load = async () => {
  if (Number.isNaN(loads)) throw new Error('no answer')
  loads += 1
  return [...stored]
}
const render = <Result,>(hook: () => Result) =>
  renderHook(hook, {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={cache}>{children}</QueryClientProvider>
    ),
  })

const LISTS = [
  ['a list', () => useQuery(query({ key: ['plans'], load })).data],
  ['a paged list', () => useInfiniteQuery(pagedQuery({ key: ['plans'], size: 5, load })).data],
] as const

async function open(useList: () => string[] | undefined) {
  const page = render(useList)
  await waitFor(() => expect(page.result.current).toEqual(stored))
  return page
}

/** Stores a row, or fails to, and returns how often the list had been loaded when the change counted as done. */
async function add(how: { fails?: boolean; showsAtOnce?: boolean } = {}) {
  let whenDone = 0
  const { result } = render(() =>
    useChange({
      run: async () => {
        if (how.fails) throw new Error('refused')
        stored.push('Netflix')
      },
      stale: [['plans']],
      ...(how.showsAtOnce && { show: async () => () => undefined }),
      done: () => {
        whenDone = loads
      },
      failed: () => undefined,
    }),
  )
  await result.current.mutateAsync().catch(() => undefined)
  return whenDone
}

describe.each(LISTS)('%s that was empty', (_what, useList) => {
  it('is loaded once before the change on its own page counts as done', async () => {
    const { result } = await open(useList)
    expect(await add()).toBe(2)
    await waitFor(() => expect(result.current).toEqual(['Netflix']))
    expect(loads).toBe(2)
  })

  it('is not there on the next page until it has loaded', async () => {
    const before = await open(useList)
    before.unmount()
    await add()
    const next = render(useList)
    expect(next.result.current).toBeUndefined()
    await waitFor(() => expect(next.result.current).toEqual(['Netflix']))
    expect(loads).toBe(2)
  })

  it('stays after a failure', async () => {
    const before = await open(useList)
    before.unmount()
    await add({ fails: true })
    expect(render(useList).result.current).toEqual([])
  })

  it('is not waited for by a change that is shown at once', async () => {
    const { result } = await open(useList)
    expect(await add({ showsAtOnce: true })).toBe(1)
    await waitFor(() => expect(result.current).toEqual(['Netflix']))
  })
})

it.each(LISTS)(
  '%s with rows is not waited for, and stays on its page until it has loaded',
  async (_what, useList) => {
    stored = ['Spotify']
    const { result } = await open(useList)
    expect(await add()).toBe(1)
    await waitFor(() => expect(result.current).toEqual(['Spotify', 'Netflix']))
  },
)

// | data of an earlier visit is on screen, and today's data | the change                      |
// |---------------------------------------------------------|---------------------------------|
// | is the same                                             | is sent after today's data      |
// | is different                                            | is refused: the person looks    |
// | cannot be loaded                                        | is refused                      |
describe('a change decided by data of an earlier visit', () => {
  const showEarlier = async (...earlier: string[]) => {
    cache.setQueryData(['plans'], earlier, { updatedAt: performance.timeOrigin - 60_000 })
    render(() => useQuery({ ...query({ key: ['plans'], load }), refetchOnMount: false }))
    await cache.invalidateQueries({ queryKey: ['plans'], refetchType: 'none' })
  }
  const change = async () => {
    const sent: number[] = []
    const options = { run: async () => sent.push(loads), failed: () => undefined }
    const { result } = render(() => useChange(options))
    const problem = await result.current.mutateAsync().then(
      () => '',
      (refused: Error) => refused.message,
    )
    return { sent, problem }
  }

  it('is sent once that data has been loaded again', async () => {
    stored = ['Disney+']
    await showEarlier('Disney+')
    expect(await change()).toEqual({ sent: [1], problem: '' })
  })

  it('is refused if the data is different now', async () => {
    stored = ['Disney+', 'Netflix']
    await showEarlier('Disney+')
    expect(await change()).toEqual({ sent: [], problem: expect.stringContaining('out of date') })
    // The person sees today's data now.
    expect((await change()).sent).toHaveLength(1)
  })

  it('is refused if the data cannot be loaded', async () => {
    stored = ['Disney+']
    await showEarlier('Disney+')
    loads = Number.NaN
    expect((await change()).sent).toEqual([])
  })
})
