import { useQueryClient } from '@tanstack/react-query'
import { type Change, useLive, useLiveQueries } from '#lib/live.ts'
import { type ChatParties, chatKeys, type MessageRow } from './chat.queries.ts'
import { putMessage, toMessage } from './messages.queries.ts'

/** Brings new messages into an open conversation. */
export function useMessagesLive(conversationId: string): void {
  const cache = useQueryClient()
  useLive(
    `messages-${conversationId}`,
    [{ table: 'messages', event: 'INSERT', filter: `conversation_id=eq.${conversationId}` }],
    {
      onChange: ({ new: row }: Change) => putMessage(cache, conversationId, toMessage(row as MessageRow)),
      onJoined: () => void cache.invalidateQueries({ queryKey: chatKeys.messages(conversationId) }),
    },
  )
}

/** Tells at once when a conversation is archived, opened again, or gone with its plan. */
export function useConversationLive(parties: ChatParties, conversationId: string): void {
  const cache = useQueryClient()
  const ask = () => void cache.invalidateQueries({ queryKey: chatKeys.conversation(parties) })
  useLive(
    `conversation-${conversationId}`,
    [
      { table: 'conversations', event: 'UPDATE', filter: `id=eq.${conversationId}` },
      { table: 'conversations', event: 'DELETE' },
    ],
    {
      // Deletions reach everybody and name only the row, so most of them are about other people's conversations.
      onChange: ({ eventType, old }) => {
        if (eventType !== 'DELETE' || old.id === conversationId) ask()
      },
      onJoined: ask,
    },
  )
}

/** Keeps the unread marks current, from this device or another. */
export function useUnreadLive(userId: string): void {
  useLiveQueries(
    `unread-${userId}`,
    [
      { table: 'messages', event: 'INSERT' },
      { table: 'chat_participants', event: 'UPDATE', filter: `user_id=eq.${userId}` },
      { table: 'conversations', event: 'DELETE' },
    ],
    [chatKeys.unread(userId)],
    { debounceMs: 100 },
  )
}
