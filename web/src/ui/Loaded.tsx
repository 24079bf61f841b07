import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFoundAnnounced } from './announce.ts'
import { LoadAlert } from './LoadAlert.tsx'
import { RowsSkeleton } from './Skeletons.tsx'

interface LoadedProps<Data> {
  of: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isPending' | 'isFetching' | 'refetch'> & {
    hasNextPage?: boolean
  }
  /** Shown while nothing has loaded; by default a skeleton with `rows` rows. */
  pending?: ReactNode
  rows?: number
  /** Shown if loading failed: a title for the usual alert, or a function that renders the failure. */
  failed: string | ((problem: unknown, retry: () => void, isRetrying: boolean) => ReactNode)
  /** Shown instead of an empty list. */
  empty?: ReactNode
  children: (data: Data) => ReactNode
}

/** Renders a query's data, or its state without data: loading, failed with a retry, or empty. */
export function Loaded<Data>({ of, pending, rows, failed, empty, children }: LoadedProps<Data>) {
  const { data, error, isPending, isFetching, refetch } = of
  useFoundAnnounced(Array.isArray(data) ? data : undefined, of.hasNextPage)
  if (isPending) return pending === undefined ? <RowsSkeleton {...(rows && { rows })} /> : pending
  // A list whose reload failed still shows its old rows.
  if (data === undefined) {
    const retry = () => void refetch()
    if (typeof failed === 'function') return failed(error, retry, isFetching)
    return <LoadAlert title={failed} problem={error} onRetry={retry} />
  }
  if (empty !== undefined && Array.isArray(data) && data.length === 0) return empty
  return children(data)
}
