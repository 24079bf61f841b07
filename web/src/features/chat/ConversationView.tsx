import { Alert, Text } from '@mantine/core'
import { IconArchive } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { ChatComposer } from './ChatComposer.tsx'
import { ChatThread } from './ChatThread.tsx'
import classes from './ConversationView.module.css'
import { useArchivingLive, useMessagesLive } from './chat.live.ts'
import { chatTexts, messagesFailedText } from './chat.messages.ts'
import { useMarkRead } from './chat.mutations.ts'
import { type ChatParties, type Conversation, messagesQuery } from './chat.queries.ts'

interface ConversationViewProps {
  parties: ChatParties
  conversation: Conversation
  userId: string
  name: string
}

/** An open conversation: what was said, and the way to answer. What is on screen counts as read. */
export function ConversationView({ parties, conversation, userId, name }: ConversationViewProps) {
  const { data: messages, error, refetch } = useQuery(messagesQuery(conversation.id))
  const { mutate: markRead } = useMarkRead(userId)
  useMessagesLive(conversation.id)
  useArchivingLive(parties, conversation.id)

  const heard = messages?.filter(({ senderId }) => senderId !== userId).length ?? 0
  const markAll = useEffectEvent((_heard: number) => markRead(conversation.id))
  useEffect(() => markAll(heard), [heard])

  return (
    <>
      {error && !messages && (
        <Alert color="beet" m="md" withCloseButton closeButtonLabel="Retry" onClose={() => void refetch()}>
          {messagesFailedText(error)}
        </Alert>
      )}
      {messages && <ChatThread messages={messages} userId={userId} name={name} />}
      {!messages && !error && (
        <div className={classes.waiting}>
          <RowsSkeleton rows={4} />
        </div>
      )}
      {conversation.archived ? (
        <div className={classes.archived} role="status">
          <IconArchive size={20} aria-hidden />
          <Text size="sm">{chatTexts.archived}</Text>
        </div>
      ) : (
        <ChatComposer conversationId={conversation.id} userId={userId} name={name} />
      )}
    </>
  )
}
