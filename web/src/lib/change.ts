import {
  type InvalidateQueryFilters,
  type QueryClient,
  type QueryKey,
  type UseMutationOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { announceAll, type BrowserEvents } from './events.ts'

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
  const reload = (queries: Stale) =>
    Promise.all(queries.map((one) => cache.invalidateQueries('length' in one ? { queryKey: one } : one)))
  return useMutation({
    ...rest,
    ...(key && { mutationKey: key }),
    mutationFn: run,
    onMutate: (what) => show?.(what, cache),
    onSuccess: async (result, what) => {
      if (fresh.length > 0) await reload(fresh)
      await done?.(result, what)
      announceAll(typeof announces === 'function' ? announces(result, what) : announces)
    },
    onError: (problem, what, takeBack) => {
      takeBack?.()
      return failed(problem, what)
    },
    onSettled: (_result, problem, what) => {
      const reloaded = reload(typeof stale === 'function' ? stale(problem, what) : stale)
      return problem ? undefined : reloaded
    },
  })
}
