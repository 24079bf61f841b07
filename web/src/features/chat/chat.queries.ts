import type { Database } from '@potluck/supabase/types'
import { queryOptions } from '@tanstack/react-query'
import { AppError, DUPLICATE, isRetryable, toAppError, unwrap } from '#lib/errors.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { chatTexts } from './chat.messages.ts'

/** Who a conversation is between, and about which plan (CHAT-01). */
export interface ChatParties {
  planId: string
  ownerId: string
  memberId: string
}

export interface Conversation {
  id: string
  archived: boolean
}

export interface ChatMessage {
  id: string
  /** A user id, or "system". */
  senderId: string
  text: string
  kind: 'user' | 'system'
  /** ISO timestamp. */
  sentAt: string
  state: 'sending' | 'delivered'
}

export interface UnreadConversation extends ChatParties {
  id: string
}

export const chatKeys = {
  all: ['chat'],
  conversation: ({ planId, ownerId, memberId }: ChatParties) => [
    'chat',
    'conversation',
    planId,
    ownerId,
    memberId,
  ],
  messages: (conversationId: string) => ['chat', 'messages', conversationId],
  unread: (userId: string) => ['chat', 'unread', userId],
} as const

/** A new conversation is asked for a little later than its dialog opens, so that a slip of the finger makes none. */
const FIRST_WAIT = 500
const MOST_RETRIES = 3
const COLLISION = /^23/

/** The conversation of a plan's owner and one member, made when there is none (CHAT-13). */
export const conversationQuery = (parties: ChatParties) =>
  queryOptions({
    queryKey: chatKeys.conversation(parties),
    staleTime: 0,
    retry: (failures, problem) => failures < MOST_RETRIES && mayPass(problem),
    retryDelay: (failures, problem) => retryDelay(failures, problem),
    queryFn: async ({ signal, client, queryKey }): Promise<Conversation> => {
      if (!parties.planId) throw new AppError('no_plan', chatTexts.noPlan)
      if (!parties.ownerId || !parties.memberId) throw new AppError('no_recipient', chatTexts.noRecipient)
      if (!client.getQueryData(queryKey)) await pause(FIRST_WAIT, signal)
      const id = await rpc(
        'find_or_create_conversation',
        { p_subscription_id: parties.planId, p_owner_id: parties.ownerId, p_member_id: parties.memberId },
        signal,
      )
      if (!id) throw new AppError('no_conversation', chatTexts.notCreated)
      const stored = supabase().from('conversations').select('archived').eq('id', id)
      const { archived } = unwrap(await stored.abortSignal(signal).single())
      return { id, archived }
    },
  })

/** Everything said in a conversation, oldest first (CHAT-03). */
export const messagesQuery = (conversationId: string) =>
  queryOptions({
    queryKey: chatKeys.messages(conversationId),
    queryFn: async ({ signal }): Promise<ChatMessage[]> => {
      const wanted = supabase().from('messages').select('*').eq('conversation_id', conversationId)
      return unwrap(await wanted.order('created_at').order('id').abortSignal(signal)).map(toMessage)
    },
  })

/** The conversations in which somebody waits to be read; their number is the badge (CHAT-09). */
export const unreadQuery = (userId: string) =>
  queryOptions({
    queryKey: chatKeys.unread(userId),
    queryFn: async ({ signal }): Promise<UnreadConversation[]> => {
      const wanted = supabase()
        .from('chat_participants')
        .select('conversation:conversations!inner(id, subscription_id, owner_id, member_id)')
        .eq('user_id', userId)
        .eq('has_unread', true)
      const rows = unwrap(await wanted.abortSignal(signal))
      return rows.map(({ conversation }) => ({
        id: conversation.id,
        planId: conversation.subscription_id,
        ownerId: conversation.owner_id,
        memberId: conversation.member_id,
      }))
    },
  })

/** How many conversations wait to be read, by plan id. */
export function unreadCounts(unread: readonly UnreadConversation[] = []): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { planId } of unread) counts[planId] = (counts[planId] ?? 0) + 1
  return counts
}

type MessageRow = Database['public']['Tables']['messages']['Row']

/** A stored message, or one that arrived live, as the dialog knows it. */
export function toMessage(row: MessageRow): ChatMessage {
  return {
    id: row.id,
    senderId: row.sender_id,
    text: row.content,
    kind: row.message_type === 'system' ? 'system' : 'user',
    sentAt: row.created_at,
    state: 'delivered',
  }
}

/** Two people opening the chat at once collide, a new member may not be ready, a network comes back; a no stays a no. */
function mayPass(problem: Error): boolean {
  const { code, message } = toAppError(problem)
  return (
    code === DUPLICATE || COLLISION.test(code) || isRetryable(problem) || /being initialized/i.test(message)
  )
}

/** LIMIT-09: a collision passes in a moment, anything else takes seconds. */
function retryDelay(failures: number, problem: Error): number {
  if (COLLISION.test(toAppError(problem).code)) return 500 * 2 ** failures + Math.random() * 250
  return 2000 * (failures + 1)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
