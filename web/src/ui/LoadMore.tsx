import { Button } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { LoadAlert } from './LoadAlert.tsx'

/** How far below the screen the end of a list may be when more of it is asked for. */
const AHEAD = '0px 0px 800px 0px'

interface LoadMoreProps {
  /** More is on its way. */
  busy: boolean
  /** Something is being loaded, more of the list or all of it again; scrolling then asks for nothing. */
  waiting: boolean
  onMore: () => void
  children: ReactNode
}

/** The end of a list that goes on: asks for more when it comes near, and when pressed. */
function LoadMore({ busy, waiting, onMore, children }: LoadMoreProps) {
  const { ref, entry } = useIntersection({ rootMargin: AHEAD })
  const near = entry?.isIntersecting ?? false
  const more = useEffectEvent(onMore)
  useEffect(() => {
    if (near && !waiting) more()
  }, [near, waiting])
  return (
    <Button ref={ref} variant="default" style={{ alignSelf: 'center' }} loading={busy} onClick={onMore}>
      {children}
    </Button>
  )
}

interface MoreRowsProps {
  list: Pick<
    UseInfiniteQueryResult,
    'error' | 'isFetchNextPageError' | 'hasNextPage' | 'isFetchingNextPage' | 'isFetching' | 'fetchNextPage'
  >
  /** What could not be loaded, should that happen, in words or as the page shows it. */
  failed: ReactNode
  children: ReactNode
}

/** The end of a list that comes page by page, or why it does not go on. */
export function MoreRows({ list, failed, children }: MoreRowsProps) {
  const more = () => void list.fetchNextPage()
  if (list.isFetchNextPageError)
    return typeof failed === 'string' ? (
      <LoadAlert title={failed} problem={list.error} onRetry={more} />
    ) : (
      failed
    )
  if (!list.hasNextPage) return null
  return (
    <LoadMore busy={list.isFetchingNextPage} waiting={list.isFetching} onMore={more}>
      {children}
    </LoadMore>
  )
}
