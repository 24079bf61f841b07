import type { Database } from '@potluck/supabase/types'
import { useQueryClient } from '@tanstack/react-query'
import { type Change, useLive, useLiveQueries } from '#lib/live.ts'
import { putMessage } from './chat.mutations.ts'
import { type ChatParties, chatKeys, toMessage } from './chat.queries.ts'

type MessageRow = Database['public']['Tables']['messages']['Row']

/** Brings new messages into an open conversation (CHAT-10). */
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

/** Tells at once when a conversation is archived or opened again (CHAT-07). */
export function useArchivingLive(parties: ChatParties, conversationId: string): void {
  useLiveQueries(
    `conversation-${conversationId}`,
    [{ table: 'conversations', event: 'UPDATE', filter: `id=eq.${conversationId}` }],
    [chatKeys.conversation(parties)],
    100,
  )
}

/** Keeps the unread marks current, from this device or another (API-53, API-54). */
export function useUnreadLive(userId: string): void {
  useLiveQueries(
    `unread-${userId}`,
    [
      { table: 'messages', event: 'INSERT' },
      { table: 'chat_participants', event: 'UPDATE', filter: `user_id=eq.${userId}` },
    ],
    [chatKeys.unread(userId)],
    100,
  )
}
