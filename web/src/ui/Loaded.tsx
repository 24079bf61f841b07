import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFoundAnnounced } from './announce.ts'
import { LoadAlert } from './LoadAlert.tsx'
import { RowsSkeleton } from './Skeletons.tsx'

interface LoadedProps<Data> {
  of: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isPending' | 'isFetching' | 'refetch'> & {
    hasNextPage?: boolean
  }
  /** What to show while nothing has arrived; by default as many rows as there may be. */
  pending?: ReactNode
  rows?: number
  /** What could not be loaded: a title for the usual alert, or how this page says it. */
  failed: string | ((problem: unknown, retry: () => void, isRetrying: boolean) => ReactNode)
  /** What to show instead of an empty list. */
  empty?: ReactNode
  children: (data: Data) => ReactNode
}

/** What a query has loaded, or why it is not there: still loading, failed with another try, or empty. */
export function Loaded<Data>({ of, pending, rows, failed, empty, children }: LoadedProps<Data>) {
  const { data, error, isPending, isFetching, refetch } = of
  useFoundAnnounced(Array.isArray(data) ? data : undefined, of.hasNextPage)
  if (isPending) return pending === undefined ? <RowsSkeleton {...(rows && { rows })} /> : pending
  // A list that could not be loaded again still shows what it has.
  if (data === undefined) {
    const retry = () => void refetch()
    if (typeof failed === 'function') return failed(error, retry, isFetching)
    return <LoadAlert title={failed} problem={error} onRetry={retry} />
  }
  if (empty !== undefined && Array.isArray(data) && data.length === 0) return empty
  return children(data)
}
