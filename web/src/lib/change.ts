import {
  type InvalidateQueryFilters,
  type QueryClient,
  type QueryKey,
  type UseMutationOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { announceAll, type BrowserEvents } from './events.ts'
import { isEmptyList } from './query.ts'

/** Every query. */
export const EVERYTHING: QueryKey = []

type Stale = readonly (QueryKey | InvalidateQueryFilters)[]
type News = Partial<BrowserEvents>

interface ChangeOptions<What, Done> extends Pick<UseMutationOptions, 'gcTime'> {
  /** Does it at the backend. */
  run: (what: What) => Promise<Done>
  /**
   * The queries that may be out of date once it is done, or refused because somebody else was faster. The change is busy
   * until they are current, but another try after a failure need not wait for that. `problem` is null if there is none.
   * An empty list may have its first row now. On screen it is loaded before the change counts as done, unless `show` has
   * changed what is on screen; elsewhere it is forgotten, so that the next page shows that it loads, not that it is empty.
   */
  stale?: Stale | ((problem: unknown, what: What) => Stale)
  /** The queries that are loaded again before it counts as done, so that nothing old shows. */
  fresh?: Stale
  /** What this tab hears of it once it is done; {@link useLive} says who listens. */
  announces?: News | ((result: Done, what: What) => News)
  /** Shows the change before the backend has agreed to it; gives the way back (`showAtOnce`), if there is one. */
  show?: (what: What, cache: QueryClient) => Promise<() => void> | undefined
  done?: (result: Done, what: What) => unknown
  /** Tells the person. */
  failed: (problem: unknown, what: What) => unknown
  /** By which others find it while it is on its way. */
  key?: QueryKey
}

/** The one way to change something at the backend, and all that follows from it in this browser. */
export function useChange<What = void, Done = unknown>(options: ChangeOptions<What, Done>) {
  const { run, stale = [], fresh = [], announces = {}, show, done, failed, key, ...rest } = options
  const cache = useQueryClient()
  const staleAfter = (problem: unknown, what: What) =>
    toFilters(typeof stale === 'function' ? stale(problem, what) : stale)
  return useMutation({
    ...rest,
    ...(key && { mutationKey: key }),
    mutationFn: run,
    onMutate: (what) => show?.(what, cache),
    onSuccess: async (result, what) => {
      const queries = staleAfter(null, what)
      const empty = await renewEmpty(cache, show ? queries.map(elsewhere) : queries)
      if (fresh.length > 0) await reload(cache, toFilters(fresh))
      await done?.(result, what)
      announceAll(typeof announces === 'function' ? announces(result, what) : announces)
      await reload(cache, queries, empty)
    },
    onError: (problem, what, takeBack) => {
      takeBack?.()
      return failed(problem, what)
    },
    onSettled: (_result, problem, what) => {
      if (problem) void reload(cache, staleAfter(problem, what))
    },
  })
}

const toFilters = (queries: Stale): InvalidateQueryFilters[] =>
  queries.map((one) => ('length' in one ? { queryKey: one } : one))

/** Loads queries again, except those with these hashes. */
const reload = (cache: QueryClient, queries: InvalidateQueryFilters[], except: string[] = []) =>
  Promise.all(
    queries.map(({ predicate = () => true, ...filters }) =>
      cache.invalidateQueries({
        ...filters,
        predicate: (query) => !except.includes(query.queryHash) && predicate(query),
      }),
    ),
  )

/** The same queries, but only those that nothing on screen shows. */
const elsewhere = (filters: InvalidateQueryFilters): InvalidateQueryFilters => ({
  ...filters,
  type: 'inactive',
})

/** Loads the empty lists that are on screen, forgets the others, and returns the hashes of all. */
async function renewEmpty(cache: QueryClient, queries: InvalidateQueryFilters[]): Promise<string[]> {
  const empty = queries.flatMap((filters) =>
    cache
      .getQueryCache()
      // Nothing on screen is to be loaded for these.
      .findAll(filters.refetchType === 'none' ? elsewhere(filters) : filters)
      .filter(({ state }) => isEmptyList(state.data)),
  )
  await Promise.all(
    empty.map((query) =>
      query.isActive()
        ? cache.invalidateQueries({ queryKey: query.queryKey, exact: true })
        : cache.getQueryCache().remove(query),
    ),
  )
  return empty.map(({ queryHash }) => queryHash)
}
