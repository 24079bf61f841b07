import { useQueryClient } from '@tanstack/react-query'
import { useLive } from '#lib/live.ts'
import { type ChatParties, type Conversation, chatKeys } from './chat.queries.ts'
import { putMessage, toMessage } from './messages.queries.ts'

/** Adds new messages to an open conversation as they arrive. */
export function useMessagesLive(conversationId: string): void {
  const cache = useQueryClient()
  useLive(
    `messages-${conversationId}`,
    [{ table: 'messages', event: 'INSERT', filter: `conversation_id=eq.${conversationId}` }],
    {
      keys: [chatKeys.messages(conversationId)],
      use: ({ new: row }) => {
        if ('id' in row) putMessage(cache, conversationId, toMessage(row))
        return 'put'
      },
    },
  )
}

/** Keeps a conversation's state current: archived, reopened, or deleted with its plan. */
export function useConversationLive(parties: ChatParties, conversationId: string): void {
  const cache = useQueryClient()
  const conversation = chatKeys.conversation(parties)
  useLive(
    `conversation-${conversationId}`,
    [
      { table: 'conversations', event: 'UPDATE', filter: `id=eq.${conversationId}` },
      { table: 'conversations', event: 'DELETE' },
    ],
    {
      keys: [conversation],
      soon: 0,
      use: ({ eventType, new: row, old }) => {
        // Deletions are sent to everybody and contain only the id, so most concern other people's conversations.
        if (eventType === 'DELETE') return old.id !== conversationId
        if (eventType === 'UPDATE')
          cache.setQueryData<Conversation>(conversation, {
            id: row.id,
            archived: row.archived,
            isQuestion: row.is_question,
          })
        return 'put'
      },
    },
  )
}

/** Keeps unread marks current across devices. A conversation's first unread message updates chat_participants. */
export function useUnreadLive(userId: string): void {
  useLive(
    `unread-${userId}`,
    [
      { table: 'chat_participants', event: 'UPDATE', filter: `user_id=eq.${userId}` },
      { table: 'conversations', event: 'UPDATE', filter: `owner_id=eq.${userId}` },
      { table: 'conversations', event: 'UPDATE', filter: `member_id=eq.${userId}` },
      { table: 'conversations', event: 'DELETE' },
    ],
    { keys: [chatKeys.unread(userId)], soon: 100 },
  )
}

/** Keeps the list of conversations current: last messages, and drafts that programs leave or change. */
export function useConversationsLive(userId: string): void {
  const filter = `user_id=eq.${userId}`
  useLive(
    `conversations-${userId}`,
    [
      { table: 'messages', event: 'INSERT' },
      { table: 'message_drafts', event: 'INSERT', filter },
      { table: 'message_drafts', event: 'UPDATE', filter },
    ],
    { keys: [chatKeys.conversations(userId)] },
  )
}
