import { t } from '@lingui/core/macro'
import { Alert, Button, Group, Text } from '@mantine/core'
import { useDocumentVisibility } from '@mantine/hooks'
import { IconArchive } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { ChatComposer } from './ChatComposer.tsx'
import { ChatThread } from './ChatThread.tsx'
import classes from './ConversationView.module.css'
import { useConversationLive, useMessagesLive } from './chat.live.ts'
import { chatTexts, messagesFailedText } from './chat.messages.ts'
import { useMarkRead, useOutgoing } from './chat.mutations.ts'
import type { ChatParties, Conversation } from './chat.queries.ts'
import { messagesQuery } from './messages.queries.ts'

interface ConversationViewProps {
  parties: ChatParties
  conversation: Conversation
  userId: string
  name: string
  /** Replaces the input if the person cannot write. */
  closed: ReactNode
}

/** An open conversation with messages and input. Messages are marked read only while the page is visible. */
export function ConversationView({ parties, conversation, userId, name, closed }: ConversationViewProps) {
  const history = useInfiniteQuery(messagesQuery(conversation.id))
  const { mutate: markRead } = useMarkRead(userId)
  const outgoing = useOutgoing(conversation.id)
  useMessagesLive(conversation.id)
  useConversationLive(parties, conversation.id)

  const { data: stored, error } = history
  const heard = stored?.findLast(({ senderId }) => senderId !== userId)?.id
  const isVisible = useDocumentVisibility() === 'visible'
  const markAll = useEffectEvent((_heard: string | undefined) => markRead(conversation.id))
  useEffect(() => {
    if (isVisible) markAll(heard)
  }, [heard, isVisible])

  // The live channel may deliver the message before the response to sending it arrives; the message is not pending
  // then.
  const pending = outgoing && !stored?.some(({ id }) => id === outgoing.id) ? [outgoing] : []
  const retry = () => void (stored ? history.fetchNextPage() : history.refetch())
  return (
    <>
      {error && (
        <Alert color="beet" m="md" role="alert">
          <Group justify="space-between">
            <Text size="sm">{messagesFailedText(error)}</Text>
            <Button variant="default" onClick={retry}>
              {t`Try Again`}
            </Button>
          </Group>
        </Alert>
      )}
      {stored && (
        <ChatThread
          messages={[...stored, ...pending]}
          userId={userId}
          name={name}
          earlier={
            history.hasNextPage ? { load: history.fetchNextPage, busy: history.isFetchingNextPage } : null
          }
        />
      )}
      {!stored && !error && (
        <div className={classes.waiting}>
          <RowsSkeleton rows={4} />
        </div>
      )}
      {conversation.archived ? (
        <div className={classes.archived} role="status">
          <IconArchive size={20} aria-hidden />
          <Text size="sm">{conversation.isQuestion ? chatTexts.noPlace : chatTexts.archived}</Text>
        </div>
      ) : (
        closed || (
          <ChatComposer
            conversationId={conversation.id}
            parties={parties}
            isQuestion={conversation.isQuestion}
            userId={userId}
            name={name}
            sending={pending.some(({ state }) => state === 'sending')}
          />
        )
      )}
    </>
  )
}
