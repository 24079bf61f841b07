import { t } from '@lingui/core/macro'
import { Loader, Text } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { type ReactNode, type TouchEvent, useEffect, useRef, useState } from 'react'
import classes from './PullToRefresh.module.css'

interface PullToRefreshProps {
  onRefresh: () => Promise<void>
  children: ReactNode
}

const TEXTS: Record<Exclude<PullState, 'idle'>, string> = {
  pulling: t`Pull to refresh`,
  ready: t`Release to refresh`,
  refreshing: t`Refreshing...`,
}

/** Lets people pull a screen down to reload it. */
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
  // The browser or a phone call interrupted the gesture.
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

/** Disables the browser's own pull, which would reload the whole page. Returns a function that restores it. */
function keepBrowserFromPulling(): () => void {
  const { style } = document.documentElement
  const before = style.overscrollBehaviorY
  style.overscrollBehaviorY = 'contain'
  return () => {
    style.overscrollBehaviorY = before
  }
}

/** In px: the distance from which a pull refreshes the content, and the farthest that the content can be pulled. */
const THRESHOLD = 80
const FARTHEST = 120

type PullState = 'idle' | 'pulling' | 'ready' | 'refreshing'

/** How far the content moves with the finger: half as far, up to a limit. */
export function pulledBy(finger: number): number {
  return Math.min(Math.max(finger / 2, 0), FARTHEST)
}

export function pullState(pulled: number): PullState {
  if (pulled <= 0) return 'idle'
  return pulled >= THRESHOLD ? 'ready' : 'pulling'
}
