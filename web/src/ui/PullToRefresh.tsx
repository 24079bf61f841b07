import { Loader, Text } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { type ReactNode, type TouchEvent, useEffect, useRef, useState } from 'react'
import classes from './PullToRefresh.module.css'
import { type PullState, pulledBy, pullState } from './pull.ts'

interface PullToRefreshProps {
  onRefresh: () => Promise<void>
  children: ReactNode
}

const TEXTS: Record<Exclude<PullState, 'idle'>, string> = {
  pulling: 'Pull to refresh',
  ready: 'Release to refresh',
  refreshing: 'Refreshing...',
}

/** Lets a finger pull a screen down to load it again. */
export function PullToRefresh({ onRefresh, children }: PullToRefreshProps) {
  const [pulled, setPulled] = useState(0)
  const [refreshing, setRefreshing] = useState(false)
  const start = useRef<number | null>(null)
  const state = refreshing ? 'refreshing' : pullState(pulled)
  useEffect(keepBrowserFromPulling, [])

  const onTouchStart = (event: TouchEvent) => {
    const atTop = window.scrollY <= 0 && event.touches.length === 1
    start.current = atTop && !refreshing ? (event.touches[0]?.clientY ?? null) : null
  }
  const onTouchMove = (event: TouchEvent) => {
    if (start.current === null) return
    setPulled(pulledBy((event.touches[0]?.clientY ?? 0) - start.current))
  }
  // The browser or a call took the finger's movement for something else.
  const onTouchCancel = () => {
    start.current = null
    setPulled(0)
  }
  const onTouchEnd = () => {
    onTouchCancel()
    if (state !== 'ready') return
    setRefreshing(true)
    void onRefresh().finally(() => setRefreshing(false))
  }

  return (
    <div
      onTouchStart={onTouchStart}
      onTouchMove={onTouchMove}
      onTouchEnd={onTouchEnd}
      onTouchCancel={onTouchCancel}
    >
      <div
        className={classes.room}
        data-state={state}
        style={{ height: refreshing ? 48 : pulled }}
        role="status"
      >
        {state !== 'idle' && (
          <>
            {state === 'refreshing' ? (
              <Loader size="xs" />
            ) : (
              <IconArrowDown size={18} className={classes.arrow} />
            )}
            <Text size="sm">{TEXTS[state]}</Text>
          </>
        )}
      </div>
      {children}
    </div>
  )
}

/** The browser's own pull would load the whole page again. */
function keepBrowserFromPulling(): () => void {
  const { style } = document.documentElement
  const before = style.overscrollBehaviorY
  style.overscrollBehaviorY = 'contain'
  return () => {
    style.overscrollBehaviorY = before
  }
}
