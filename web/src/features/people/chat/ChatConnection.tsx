import { Button, Loader, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { NOT_FOUND, toAppError } from '#lib/errors.ts'
import { Mascot } from '#ui/Mascot.tsx'
import { ConversationView } from './ConversationView.tsx'
import { chatTexts, dialogText } from './chat.messages.ts'
import { type ChatParties, conversationQuery } from './chat.queries.ts'

const MOST_RETRIES = 3

interface ChatConnectionProps {
  parties: ChatParties
  userId: string
  /** The name of the other person. */
  name: string
  /** Takes the place of the input where nothing can be written. */
  closed: ReactNode
}

/** Finds the conversation, says so while it does, and offers another try when it fails. */
export function ChatConnection({ parties, userId, name, closed }: ChatConnectionProps) {
  const { data: conversation, error, isFetching, refetch } = useQuery(conversationQuery(parties))
  const [retries, setRetries] = useState(0)

  if (error && toAppError(error).code === NOT_FOUND) return <Ended />
  if (conversation) return <ConversationView {...{ parties, conversation, userId, name, closed }} />
  if (isFetching)
    return (
      <Stack align="center" justify="center" gap="sm" flex={1} role="status">
        <Loader type="dots" />
        <Text c="dimmed">{chatTexts.connecting}</Text>
      </Stack>
    )
  return (
    <Stack align="center" justify="center" gap="sm" flex={1} p="lg" ta="center" role="alert">
      <Mascot size={96} />
      <Text fw={600}>{chatTexts.failed}</Text>
      {error && <Text c="dimmed">{dialogText(error)}</Text>}
      {retries >= MOST_RETRIES ? (
        <Text c="dimmed">{chatTexts.afterRetries}</Text>
      ) : (
        <Button
          onClick={() => {
            setRetries(retries + 1)
            void refetch()
          }}
        >
          Retry
        </Button>
      )}
    </Stack>
  )
}

/** The plan is gone, perhaps while the chat was open, and the conversation with it. */
function Ended() {
  return (
    <Stack align="center" justify="center" gap="sm" flex={1} p="lg" ta="center" role="alert">
      <Mascot size={96} />
      <Text fw={600}>{chatTexts.gone}</Text>
      <Text c="dimmed">{chatTexts.goneWhy}</Text>
    </Stack>
  )
}
