import { t } from '@lingui/core/macro'
import {
  type InfiniteData,
  infiniteQueryOptions,
  type keepPreviousData,
  type QueryClient,
  type QueryFunctionContext,
  type QueryKey,
  type QueryState,
  queryOptions,
  type UseQueryOptions,
} from '@tanstack/react-query'
import { AppError, TIMED_OUT } from './errors.ts'
import { type Limited, secondsIn, withinLimit } from './rate-limit.ts'

type Passed = 'staleTime' | 'retry' | 'retryOnMount' | 'retryDelay' | 'refetchInterval' | 'placeholderData'

interface ReadOptions<T> extends Pick<UseQueryOptions<T>, Passed> {
  key: QueryKey
  load: (signal: AbortSignal, context: QueryFunctionContext) => Promise<T>
  /** The time in ms after which the load is cancelled. */
  deadline?: number
  /** The least time in ms between a load and a reload that is caused by a change elsewhere. */
  pace?: number
  /**
   * Allows the last result to be stored, and shown offline and at the next visit until it has been loaded again. Never
   * for secrets or other people's private texts.
   */
  seen?: boolean
  /** The rate limit that counts every load. A refused load is repeated once the limit allows. */
  limit?: Limited
}

/** A query for reading from the backend; all reads are made with it. */
export function query<T>({ key, load, deadline, pace, limit, seen, ...options }: ReadOptions<T>) {
  return queryOptions({
    queryKey: key,
    queryFn: (context) => {
      const once = (until: AbortSignal) => load(until, context)
      return withDeadline(
        context.signal,
        (until) => (limit ? withinLimit(limit, () => once(until)) : once(until)),
        deadline,
      )
    },
    ...paced(pace, seen),
    ...(limit && {
      refetchInterval: ({ state }: { state: { error: unknown } }) => secondsIn(state.error) * 1000 || false,
    }),
    ...options,
  })
}

/** Where a page starts: after the row `after`, or after `count` rows. */
interface Place<Row> {
  after: Row | null
  count: number
}

interface PageOptions<Row> {
  key: QueryKey
  size: number
  load: (place: Place<Row>, signal: AbortSignal) => Promise<Row[]>
  pace?: number
  seen?: boolean
  placeholderData?: typeof keepPreviousData
}

interface Page<Row> {
  rows: Row[]
  /** The start of the next page; null on the last. Stored with the load, since live changes may remove rows. */
  next: Place<Row> | null
}

export type Pages<Row> = InfiniteData<Page<Row>, Place<Row>>

export const allRows = <Row>({ pages }: Pages<Row>): Row[] => pages.flatMap(({ rows }) => rows)

/** True for the data of a loaded list, paged or not, without rows. */
export const isEmptyList = (data: unknown): boolean =>
  (Array.isArray(data) ? data : (data as Partial<Pages<unknown>> | null)?.pages?.flatMap(({ rows }) => rows))
    ?.length === 0

/** {@link query} for a list that loads page by page; its data is all rows loaded so far. */
export function pagedQuery<Row>({ key, size, load, pace, seen, ...options }: PageOptions<Row>) {
  return infiniteQueryOptions({
    queryKey: key,
    // A page that starts after a row repeats or skips no rows if rows are added or removed meanwhile.
    queryFn: async ({ signal, pageParam: place }): Promise<Page<Row>> => {
      const rows = await withDeadline(signal, (until) => load(place, until))
      return {
        rows,
        next: rows.length < size ? null : { after: rows.at(-1) ?? null, count: place.count + size },
      }
    },
    initialPageParam: { after: null, count: 0 } as Place<Row>,
    getNextPageParam: ({ next }: Page<Row>) => next,
    select: allRows<Row>,
    ...paced(pace, seen),
    ...options,
  })
}

/**
 * Delays the reload of a stale query until `pace` ms after its last load, by means of the refetch interval. After a
 * failed load, the next change reloads immediately.
 */
function paced(pace: number | undefined, seen = false) {
  return {
    meta: { pace, ...(seen && { seen }) },
    refetchIntervalInBackground: true,
    refetchInterval: ({ state }: { state: Load }) =>
      pace !== undefined &&
      isSettled(state) &&
      state.isInvalidated &&
      Math.max(1, state.dataUpdatedAt + pace - Date.now()),
  }
}

type Load = Pick<QueryState, 'status' | 'fetchStatus' | 'isInvalidated' | 'dataUpdatedAt'>

const isSettled = ({ status, fetchStatus }: Load) => status === 'success' && fetchStatus === 'idle'

/** True while a list loads its next page; reloading the list would cancel that load. */
export const isGrowing = ({ fetchStatus, fetchMeta }: Pick<QueryState, 'fetchStatus' | 'fetchMeta'>) =>
  fetchStatus === 'fetching' && fetchMeta?.fetchMore !== undefined

/** True during the first load: a reload would only join that load, which may have read before the change. */
const isFirst = ({ fetchStatus, data }: QueryState) => fetchStatus === 'fetching' && data === undefined

/**
 * Reloads the queries under a key: immediately, or when their pace allows. Queries that are in their first load, or are
 * loading another page, are reloaded once that load ends.
 */
export function reloadPaced(cache: QueryClient, queryKey: QueryKey): void {
  const isBusy = (state: QueryState) => isGrowing(state) || isFirst(state)
  const busy = cache.getQueryCache().findAll({ queryKey, predicate: ({ state }) => isBusy(state) })
  void cache.invalidateQueries({ queryKey, refetchType: 'none' })
  void cache.refetchQueries({
    queryKey,
    type: 'active',
    predicate: ({ meta, state }) => !isBusy(state) && (meta?.pace === undefined || !isSettled(state)),
  })
  for (const load of busy) {
    const again = () => reloadPaced(cache, load.queryKey)
    // A first load that fails shows its error, with a retry.
    void load.promise?.then(again, isGrowing(load.state) ? again : () => undefined)
  }
}

/** Cancels a load after `ms`, or when `signal` aborts, and then fails immediately, even if the load does not stop. */
async function withDeadline<T>(
  signal: AbortSignal,
  load: (signal: AbortSignal) => Promise<T>,
  ms = 15_000,
): Promise<T> {
  const deadline = AbortSignal.timeout(ms)
  const over = new Promise<never>((_never, giveUp) => {
    deadline.addEventListener('abort', () => giveUp(new AppError(TIMED_OUT, t`Request timeout`)))
  })
  return Promise.race([load(AbortSignal.any([signal, deadline])), over])
}
