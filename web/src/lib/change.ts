import { t } from '@lingui/core/macro'
import {
  type InvalidateQueryFilters,
  type QueryClient,
  type QueryKey,
  type UseMutationOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { AppError } from './errors.ts'
import { announceAll, type BrowserEvents } from './events.ts'
import { restoredOnScreen } from './loaded-at.ts'
import { isEmptyList } from './query.ts'
import { isOnline } from './site.ts'

export const EVERYTHING: QueryKey = []

type Stale = readonly (QueryKey | InvalidateQueryFilters)[]
type News = Partial<BrowserEvents>

interface ChangeOptions<What, Done> extends Pick<UseMutationOptions, 'gcTime'> {
  run: (what: What) => Promise<Done>
  /**
   * Queries that the change may make stale, even if the backend refuses it, since another person may have been faster.
   * After a success the change stays in progress until they are loaded again; after a failure the person can try again
   * immediately. `problem` is null after a success. An empty list on screen may have its first row now, so it is loaded
   * before the change counts as done, unless `show` has already changed the screen. An empty list elsewhere is removed
   * from the cache, so that the next page shows it as loading.
   */
  stale?: Stale | ((problem: unknown, what: What) => Stale)
  /** Queries that are loaded again before the change counts as done, so that no old data is shown. */
  fresh?: Stale
  /** Browser events to announce in this tab once the change is done; {@link useLive} listens. */
  announces?: News | ((result: Done, what: What) => News)
  /** Shows the change before the backend has accepted it; may return a function that undoes it (`showAtOnce`). */
  show?: (what: What, cache: QueryClient) => Promise<() => void> | undefined
  done?: (result: Done, what: What) => unknown
  failed: (problem: unknown, what: What) => unknown
  /** The mutation key, by which other code finds the change while it is in progress. */
  key?: QueryKey
}

/**
 * Every change at the backend is made with this hook, which then updates queries and announces events in this browser.
 * A change that a person makes while data of an earlier visit is on screen waits for today's data ({@link confirmSeen}).
 */
export function useChange<What = void, Done = unknown>(options: ChangeOptions<What, Done>) {
  const { run, stale = [], fresh = [], announces = {}, show, done, failed, key, ...rest } = options
  const cache = useQueryClient()
  const staleAfter = (problem: unknown, what: What) =>
    toFilters(typeof stale === 'function' ? stale(problem, what) : stale)
  return useMutation({
    ...rest,
    ...(key && { mutationKey: key }),
    mutationFn: async (what: What): Promise<Done> => {
      await confirmSeen(cache)
      return run(what)
    },
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

/**
 * Loads data of an earlier visit that is on screen again. Throws if it cannot be loaded, or if it has changed: the person
 * decided by what they saw.
 */
async function confirmSeen(cache: QueryClient): Promise<void> {
  if (!isOnline()) return
  await Promise.all(
    restoredOnScreen(cache).map(async ({ queryKey, queryHash, state: { data } }) => {
      // Joins the load that is in progress.
      await cache.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false, throwOnError: true })
      // Equal data stays the same object.
      if (cache.getQueryCache().get(queryHash)?.state.data !== data)
        throw new AppError('changed_since', t`This page was out of date. Check it, then try again.`)
    }),
  )
}

const toFilters = (queries: Stale): InvalidateQueryFilters[] =>
  queries.map((one) => ('length' in one ? { queryKey: one } : one))

/** Loads queries again, except those with the hashes in `except`. */
const reload = (cache: QueryClient, queries: InvalidateQueryFilters[], except: string[] = []) =>
  Promise.all(
    queries.map(({ predicate = () => true, ...filters }) =>
      cache.invalidateQueries({
        ...filters,
        predicate: (query) => !except.includes(query.queryHash) && predicate(query),
      }),
    ),
  )

/** Limits a filter to queries that nothing on screen shows. */
const elsewhere = (filters: InvalidateQueryFilters): InvalidateQueryFilters => ({
  ...filters,
  type: 'inactive',
})

/** Loads empty lists on screen, removes other empty lists, and returns the hashes of both. */
async function renewEmpty(cache: QueryClient, queries: InvalidateQueryFilters[]): Promise<string[]> {
  const empty = queries.flatMap((filters) =>
    cache
      .getQueryCache()
      // A query with refetchType 'none' must not be reloaded while it is on screen.
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
