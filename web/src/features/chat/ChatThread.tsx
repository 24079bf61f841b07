import { Box, Center, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Mascot } from '#ui/Mascot.tsx'
import classes from './ChatThread.module.css'
import { chatTexts } from './chat.messages.ts'
import type { ChatMessage } from './chat.queries.ts'

interface ChatThreadProps {
  messages: readonly ChatMessage[]
  userId: string
  /** The name of the other person. */
  name: string
}

const day = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' })
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** What was said, oldest first; follows along when something new comes in (CHAT-03, CHAT-04). */
export function ChatThread({ messages, userId, name }: ChatThreadProps) {
  const thread = useRef<HTMLDivElement>(null)
  const latest = messages.at(-1)?.id
  useEffect(() => {
    if (thread.current && latest) thread.current.scrollTop = thread.current.scrollHeight
  }, [latest])

  return (
    <Box ref={thread} className={classes.thread} role="log" aria-label={`Messages with ${name}`} tabIndex={0}>
      {messages.length === 0 && (
        <Center flex={1}>
          <Stack align="center" gap="sm">
            <Mascot size={96} />
            <Text c="dimmed">{chatTexts.empty}</Text>
          </Stack>
        </Center>
      )}
      {messages.map((message, index) => (
        <Entry
          key={message.id}
          message={message}
          startsDay={dayOf(message) !== dayOf(messages[index - 1])}
          own={message.senderId === userId}
          name={name}
        />
      ))}
    </Box>
  )
}

function dayOf(message: ChatMessage | undefined): string {
  return message ? new Date(message.sentAt).toDateString() : ''
}

interface EntryProps {
  message: ChatMessage
  startsDay: boolean
  own: boolean
  name: string
}

function Entry({ message, startsDay, own, name }: EntryProps) {
  const sentAt = new Date(message.sentAt)
  return (
    <>
      {startsDay && <div className={classes.day}>{day.format(sentAt)}</div>}
      {message.kind === 'system' ? (
        <p className={classes.system}>{message.text}</p>
      ) : (
        <div className={classes.message} data-own={own || undefined} data-state={message.state}>
          <span className={classes.sender}>{own ? 'You' : name}: </span>
          <p className={classes.text}>{message.text}</p>
          <span className={classes.time}>
            {message.state === 'sending' ? (
              'Sending…'
            ) : (
              <time dateTime={message.sentAt}>{time.format(sentAt)}</time>
            )}
          </span>
        </div>
      )}
    </>
  )
}
