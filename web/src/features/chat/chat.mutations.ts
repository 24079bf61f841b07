import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { DUPLICATE, isRetryable, toAppError, unwrap } from '#lib/errors.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { chatToasts } from './chat.messages.ts'
import { type ChatMessage, chatKeys, toMessage, type UnreadConversation } from './chat.queries.ts'

const MOST_RETRIES = 3

interface Outgoing {
  /** Chosen here, so that a message whose answer got lost is not stored twice. */
  id: string
  conversationId: string
  senderId: string
  text: string
}

/** Sends a message: shown at once, tried again up to three times, taken back when all failed (CHAT-12). */
export function useSendMessage(onRefused: (text: string) => void) {
  const cache = useQueryClient()
  return useMutation({
    // One's own connection being down is a failure to retry like any other, not a reason to wait silently.
    networkMode: 'always',
    mutationFn: deliver,
    onMutate: ({ id, conversationId, senderId, text }: Outgoing) => {
      const sentAt = new Date().toISOString()
      putMessage(cache, conversationId, { id, senderId, text, kind: 'user', sentAt, state: 'sending' })
    },
    onSuccess: (message, { conversationId }) => putMessage(cache, conversationId, message),
    onError: (problem, { id, conversationId, text }) => {
      dropMessage(cache, conversationId, id)
      chatToasts.sendFailed(problem)
      onRefused(text)
    },
  })
}

/** Clears the unread mark of a conversation, on screen at once (CHAT-08). */
export function useMarkRead(userId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (conversationId: string) => {
      await rpc('mark_conversation_read', { p_conversation_id: conversationId, p_user_id: userId })
    },
    onMutate: (conversationId) => {
      cache.setQueryData<UnreadConversation[]>(chatKeys.unread(userId), (unread) =>
        unread?.filter(({ id }) => id !== conversationId),
      )
    },
    onError: chatToasts.markReadFailed,
    onSettled: () => cache.invalidateQueries({ queryKey: chatKeys.unread(userId) }),
  })
}

/** Puts a message where it belongs; what is known to be delivered takes the place of what was on its way. */
export function putMessage(cache: QueryClient, conversationId: string, message: ChatMessage): void {
  cache.setQueryData<ChatMessage[]>(chatKeys.messages(conversationId), (shown = []) =>
    [...shown.filter(({ id }) => id !== message.id), message].sort(inOrder),
  )
}

function dropMessage(cache: QueryClient, conversationId: string, messageId: string): void {
  cache.setQueryData<ChatMessage[]>(chatKeys.messages(conversationId), (shown = []) =>
    shown.filter(({ id }) => id !== messageId),
  )
}

/** Oldest first; what is still on its way stands last, whatever this device's clock says. */
function inOrder(a: ChatMessage, b: ChatMessage): number {
  if (a.state !== b.state) return a.state === 'sending' ? 1 : -1
  return Date.parse(a.sentAt) - Date.parse(b.sentAt)
}

async function deliver(outgoing: Outgoing): Promise<ChatMessage> {
  for (let retries = 0; ; retries++) {
    try {
      return await insert(outgoing, retries)
    } catch (problem) {
      if (retries > 0 && toAppError(problem).code === DUPLICATE) return stored(outgoing.id)
      if (retries === MOST_RETRIES || !isRetryable(problem)) throw problem
      await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** retries))
    }
  }
}

async function insert(outgoing: Outgoing, retries: number): Promise<ChatMessage> {
  const message = {
    id: outgoing.id,
    conversation_id: outgoing.conversationId,
    sender_id: outgoing.senderId,
    content: outgoing.text,
    message_type: 'user' as const,
    metadata: { status: 'sent', retry_count: retries },
  }
  return toMessage(unwrap(await supabase().from('messages').insert(message).select().single()))
}

async function stored(id: string): Promise<ChatMessage> {
  return toMessage(unwrap(await supabase().from('messages').select('*').eq('id', id).single()))
}
