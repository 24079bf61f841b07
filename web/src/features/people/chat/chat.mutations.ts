import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { DUPLICATE, isRetryable, toAppError, unwrap } from '#lib/errors.ts'
import { withinLimit } from '#lib/rate-limit.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { chatToasts } from './chat.messages.ts'
import { type ConversationSummary, chatKeys, type UnreadConversation } from './chat.queries.ts'
import { giveBack } from './drafts.ts'
import { type ChatMessage, putMessage, toMessage } from './messages.queries.ts'

const MOST_RETRIES = 3

interface Outgoing {
  /** Chosen here, so that a message whose answer got lost is not stored twice. */
  id: string
  conversationId: string
  senderId: string
  text: string
}

/** Sends a message: tried again up to three times, its text back in the input when all failed. */
export function useSendMessage(conversationId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationKey: chatKeys.sending(conversationId),
    // One's own connection being down is a failure to retry like any other, not a reason to wait silently.
    networkMode: 'always',
    mutationFn: deliver,
    onSuccess: (message) => putMessage(cache, conversationId, message),
    onError: (problem, { senderId, text }) => {
      chatToasts.sendFailed(problem)
      giveBack(senderId, conversationId, text)
    },
  })
}

/** Writes to all members of a plan at once; each of the chats hears of it like of any message. */
export function useAnnounce(planId: string, onSent: () => void) {
  return useMutation({
    mutationFn: (text: string) =>
      withinLimit('announcement', () =>
        rpc('announce_to_members', { p_subscription_id: planId, p_text: text }),
      ),
    onSuccess: (members) => {
      chatToasts.announced(members)
      onSent()
    },
    onError: chatToasts.announceFailed,
  })
}

/** Asks the owner of a plan before there is a place, and opens the chat for it. */
export function useAskQuestion(planId: string, onSent: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (text: string) => rpc('ask_question', { p_subscription_id: planId, p_text: text }),
    onSuccess: onSent,
    onError: chatToasts.questionFailed,
    onSettled: () => cache.invalidateQueries({ queryKey: chatKeys.all }),
  })
}

/** The message on its way, or the last one when it did not arrive; also one sent before the dialog was last closed. */
export function useOutgoing(conversationId: string): ChatMessage | null {
  const sent = useMutationState({
    filters: { mutationKey: chatKeys.sending(conversationId) },
    select: ({ state }) => ({
      message: state.variables as Outgoing,
      status: state.status,
      submittedAt: state.submittedAt,
    }),
  })
  const last = sent.at(-1)
  if (!last || last.status === 'success' || last.status === 'idle') return null
  const { id, senderId, text } = last.message
  return {
    id,
    senderId,
    text,
    kind: 'user',
    sentAt: new Date(last.submittedAt).toISOString(),
    state: last.status === 'pending' ? 'sending' : 'failed',
  }
}

/** Clears the unread mark of a conversation, on screen at once. */
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
      cache.setQueryData<ConversationSummary[]>(chatKeys.conversations(userId), (listed) =>
        listed?.map((one) => (one.id === conversationId ? { ...one, unread: false } : one)),
      )
    },
    onError: chatToasts.markReadFailed,
    onSettled: () => cache.invalidateQueries({ queryKey: chatKeys.unread(userId) }),
  })
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
  return withinLimit('chat message', async () =>
    toMessage(unwrap(await supabase().from('messages').insert(message).select().single())),
  )
}

async function stored(id: string): Promise<ChatMessage> {
  return toMessage(unwrap(await supabase().from('messages').select('*').eq('id', id).single()))
}
