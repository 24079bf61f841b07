import { Button } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { LoadAlert } from './LoadAlert.tsx'

/** Distance below the screen at which the end of a list loads more. */
const AHEAD = '0px 0px 800px 0px'

interface LoadMoreProps {
  /** True while more rows are loading. */
  busy: boolean
  /** True while any part of the list is loading; scrolling then loads nothing. */
  waiting: boolean
  onMore: () => void
  children: ReactNode
}

/** The end of a list with more rows: loads them when scrolled near, or pressed. */
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
  /** The title of the usual alert, or the page's own element. */
  failed: ReactNode
  children: ReactNode
}

/** The end of a paged list, or the reason why its next page could not be loaded. */
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

interface KeptRowsProps extends Omit<MoreRowsProps, 'list'> {
  list: UseInfiniteQueryResult<unknown[]>
  /** The search parameter that holds the number of rows; a page may have several lists. */
  as?: 'rows' | 'eventRows' | 'fileRows'
}

/** {@link MoreRows} that keeps the number of rows in the URL, so that reloading or going back shows as many rows. */
export function KeptRows({ list, as = 'rows', ...end }: KeptRowsProps) {
  const kept = useSearch({ strict: false, select: (search) => search[as] ?? 0 })
  const navigate = useNavigate()
  const [asked, setAsked] = useState(false)
  const { hasNextPage, isFetching, isError, isPlaceholderData, fetchNextPage } = list
  const shown = list.data?.length ?? 0
  const settled = !isFetching && !isError && !isPlaceholderData

  const missing = settled && hasNextPage && shown < kept
  const restore = useEffectEvent(() => void fetchNextPage())
  useEffect(() => {
    if (missing) restore()
  }, [missing])

  const keep = useEffectEvent(() => {
    setAsked(false)
    if (shown > kept)
      void navigate({
        to: '.',
        search: (now) => ({ ...now, [as]: shown }),
        replace: true,
        resetScroll: false,
      })
  })
  useEffect(() => {
    if (asked && settled) keep()
  }, [asked, settled])

  const fetchMore: typeof fetchNextPage = async (options) => {
    const grown = await fetchNextPage(options)
    setAsked(true)
    return grown
  }
  return <MoreRows list={{ ...list, fetchNextPage: fetchMore }} {...end} />
}
