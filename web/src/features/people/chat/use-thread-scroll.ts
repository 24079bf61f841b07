import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ChatMessage } from './messages.queries.ts'

/** How near an edge, in pixels, counts as being there. */
const NEAR = 80

/**
 * How a thread scrolls: at its end it follows new messages; further up it stays put, even when earlier messages appear
 * above, and says that there is something new below.
 */
export function useThreadScroll(messages: readonly ChatMessage[], userId: string, onTop: () => void) {
  const ref = useRef<HTMLDivElement>(null)
  const place = useRef({ atEnd: true, height: 0, first: '' })
  const [behind, setBehind] = useState(false)
  const first = messages[0]?.id ?? ''
  const latest = messages.at(-1)
  const latestId = latest?.id
  const ownLatest = latest?.senderId === userId

  useLayoutEffect(() => {
    const thread = ref.current
    if (!thread) return
    const before = place.current
    if (before.atEnd) thread.scrollTop = thread.scrollHeight
    else if (before.first !== first) thread.scrollTop += thread.scrollHeight - before.height
    place.current = { ...before, height: thread.scrollHeight, first }
  }, [first])

  useLayoutEffect(() => {
    const thread = ref.current
    if (!thread || !latestId) return
    if (place.current.atEnd || ownLatest) thread.scrollTop = thread.scrollHeight
    else setBehind(true)
    place.current.height = thread.scrollHeight
  }, [latestId, ownLatest])

  // A taller input or a phone's keyboard leaves less room; the end stays in sight.
  useEffect(() => {
    const thread = ref.current
    if (!thread) return
    const observer = new ResizeObserver(() => {
      if (place.current.atEnd) thread.scrollTop = thread.scrollHeight
    })
    observer.observe(thread)
    return () => observer.disconnect()
  }, [])

  const onScroll = () => {
    const thread = ref.current
    if (!thread) return
    const atEnd = thread.scrollHeight - thread.scrollTop - thread.clientHeight < NEAR
    place.current = { ...place.current, atEnd, height: thread.scrollHeight }
    if (atEnd) setBehind(false)
    else if (thread.scrollTop < NEAR) onTop()
  }
  const toEnd = () => {
    if (ref.current) ref.current.scrollTop = ref.current.scrollHeight
    setBehind(false)
  }
  return { ref, onScroll, behind, toEnd }
}
