import { t } from '@lingui/core/macro'
import { Box, Button, Center, Stack, Text } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Mascot } from '#ui/Mascot.tsx'
import classes from './ChatThread.module.css'
import { chatTexts } from './chat.messages.ts'
import { MessageEntry } from './MessageEntry.tsx'
import type { ChatMessage } from './messages.queries.ts'

interface ChatThreadProps {
  /** Oldest first. */
  messages: readonly ChatMessage[]
  userId: string
  /** The name of the other person. */
  name: string
  /** Loads the messages before these; null if there are none. */
  earlier: { load: () => unknown; busy: boolean } | null
}

/** The messages of a chat. Follows new messages while scrolled to the end, otherwise keeps its position. */
export function ChatThread({ messages, userId, name, earlier }: ChatThreadProps) {
  const quiet = useQuiet(earlier?.busy ?? false)
  const { ref, onScroll, behind, toEnd } = useThreadScroll(messages, userId, () => {
    if (earlier && !earlier.busy) earlier.load()
  })
  return (
    <div className={classes.frame}>
      <Box
        ref={ref}
        onScroll={onScroll}
        className={classes.thread}
        role="log"
        aria-live={quiet ? 'off' : 'polite'}
        aria-label={t`Messages with ${name}`}
        tabIndex={0}
      >
        {earlier && (
          <Button
            variant="ghost"
            flex="none"
            loading={earlier.busy}
            style={{ alignSelf: 'center' }}
            onClick={() => earlier.load()}
          >
            {t`Show earlier messages`}
          </Button>
        )}
        {messages.length === 0 && (
          <Center flex={1}>
            <Stack align="center" gap="sm">
              <Mascot size={96} />
              <Text c="dimmed">{chatTexts.empty}</Text>
            </Stack>
          </Center>
        )}
        {messages.map((message, index) => (
          <MessageEntry
            key={message.id}
            message={message}
            previous={messages[index - 1]}
            own={message.senderId === userId}
            name={name}
          />
        ))}
      </Box>
      {behind && (
        <Button
          className={classes.toEnd}
          radius="xl"
          leftSection={<IconArrowDown size={18} aria-hidden />}
          onClick={toEnd}
        >
          {t`New messages`}
        </Button>
      )}
    </div>
  )
}

/** Silences the live region while earlier messages load, so that screen readers do not announce them. */
function useQuiet(busy: boolean): boolean {
  const [quiet, setQuiet] = useState(false)
  useEffect(() => {
    if (busy) return setQuiet(true)
    const later = setTimeout(() => setQuiet(false), 1000)
    return () => clearTimeout(later)
  }, [busy])
  return quiet
}

/** The distance from an edge, in px, within which the thread counts as being at that edge. */
const NEAR = 80

/**
 * Scrolls a thread: at its end it follows new messages; further up it keeps its position, even when earlier messages
 * appear above. `behind` is true while there are new messages below.
 */
function useThreadScroll(messages: readonly ChatMessage[], userId: string, onTop: () => void) {
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

  // Keeps the end visible when a taller input or a phone's keyboard leaves less room.
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
