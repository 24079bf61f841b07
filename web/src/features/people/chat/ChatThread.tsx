import { Box, Button, Center, Stack, Text } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { Mascot } from '#ui/Mascot.tsx'
import classes from './ChatThread.module.css'
import { chatTexts } from './chat.messages.ts'
import { MessageEntry } from './MessageEntry.tsx'
import type { ChatMessage } from './messages.queries.ts'
import { useThreadScroll } from './use-thread-scroll.ts'

interface ChatThreadProps {
  /** Oldest first. */
  messages: readonly ChatMessage[]
  userId: string
  /** The name of the other person. */
  name: string
  /** The way to the messages before these; null if there are none. */
  earlier: { load: () => unknown; busy: boolean } | null
}

/** The messages. Follows new ones while scrolled to the end, and stays put further up. */
export function ChatThread({ messages, userId, name, earlier }: ChatThreadProps) {
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
        aria-label={`Messages with ${name}`}
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
            Show earlier messages
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
          New messages
        </Button>
      )}
    </div>
  )
}
