import { useMutationState, useQueryClient } from '@tanstack/react-query'
import { useChange } from '#lib/change.ts'
import { DUPLICATE, isRetryable, toAppError, unwrap } from '#lib/errors.ts'
import { withName } from '#lib/name.ts'
import type { Pages } from '#lib/query.ts'
import { withinLimit } from '#lib/rate-limit.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { chatToasts } from './chat.messages.ts'
import { chatKeys, type ListedConversation, MOST_RETRIES, type UnreadConversation } from './chat.queries.ts'
import { giveBack } from './drafts.ts'
import { type ChatMessage, putMessage, toMessage } from './messages.queries.ts'

interface Outgoing {
  /**
   * Generated in the browser, so that a retry after a lost response stores nothing twice. A sent draft keeps its id.
   */
  id: string
  conversationId: string
  senderId: string
  text: string
}

/** Sends a message, with retries. If all fail, the text returns to the input. */
export function useSendMessage(conversationId: string) {
  const cache = useQueryClient()
  return useChange({
    key: chatKeys.sending(conversationId),
    run: deliver,
    // The failure may be due to a draft that no longer exists.
    stale: (problem) => (problem ? [chatKeys.draft(conversationId)] : []),
    done: (message) => putMessage(cache, conversationId, message),
    failed: (problem, { senderId, text }) => {
      chatToasts.sendFailed(problem)
      giveBack(senderId, conversationId, text)
    },
  })
}

/** Sends a message to all members of a plan, as a message in each member's chat. */
export const useAnnounce = (planId: string, onSent: () => void) =>
  useChange({
    run: (text: string) =>
      withinLimit('announcement', () =>
        rpc('announce_to_members', { p_subscription_id: planId, p_text: text }),
      ),
    done: (members) => {
      chatToasts.announced(members)
      onSent()
    },
    failed: chatToasts.announceFailed,
  })

/** Asks a plan's owner a question before a join request, and opens the chat for it. */
export const useAskQuestion = (planId: string, onSent: () => void) =>
  useChange({
    run: (text: string) => withName(() => rpc('ask_question', { p_subscription_id: planId, p_text: text })),
    stale: [chatKeys.all],
    done: onSent,
    failed: chatToasts.questionFailed,
  })

/** Returns the message being sent, or the last one if it failed, even if the dialog was closed in between. */
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
    isRemoved: false,
    sentAt: new Date(last.submittedAt).toISOString(),
    state: last.status === 'pending' ? 'sending' : 'failed',
  }
}

/** Clears the unread mark of a conversation. The screen updates immediately. */
export const useMarkRead = (userId: string) =>
  useChange({
    run: (conversationId: string) =>
      rpc('mark_conversation_read', { p_conversation_id: conversationId, p_user_id: userId }),
    stale: [chatKeys.unread(userId)],
    show: (conversationId, cache) => {
      cache.setQueryData<UnreadConversation[]>(chatKeys.unread(userId), (unread) =>
        unread?.filter((one) => one.conversationId !== conversationId),
      )
      cache.setQueryData<Pages<ListedConversation>>(
        chatKeys.conversations(userId),
        (listed) =>
          listed && {
            ...listed,
            pages: listed.pages.map((page) => ({
              ...page,
              rows: page.rows.map((one) => (one.id === conversationId ? { ...one, unread: false } : one)),
            })),
          },
      )
      return undefined
    },
    failed: chatToasts.markReadFailed,
  })

async function deliver(outgoing: Outgoing): Promise<ChatMessage> {
  for (let retries = 0; ; retries++) {
    try {
      return await insert(outgoing, retries)
    } catch (problem) {
      if (toAppError(problem).code === DUPLICATE) {
        const there = await stored(outgoing.id)
        // If the stored text differs, another device has sent the same draft, and our text was not stored.
        if (there.text === outgoing.text) return there
      }
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
