import type { Database } from '@potluck/supabase/types'
import type { QueryClient } from '@tanstack/react-query'
import { unwrap } from '#lib/errors.ts'
import { allRows, type Pages, pagedQuery } from '#lib/query.ts'
import { read } from '#lib/supabase.ts'
import { chatKeys } from './chat.queries.ts'

const PAGE_SIZE = 30

type MessageRow = Database['public']['Tables']['messages']['Row']

export interface ChatMessage {
  id: string
  /** A user id, or "system". */
  senderId: string
  text: string
  kind: 'user' | 'announcement' | 'system'
  /** ISO timestamp as the database prints it, to the microsecond. */
  sentAt: string
  state: 'sending' | 'delivered' | 'failed'
}

/** The messages of a conversation, oldest first: the latest at once, earlier ones page by page. */
export const messagesQuery = (conversationId: string) => ({
  ...pagedQuery({
    key: chatKeys.messages(conversationId),
    size: PAGE_SIZE,
    load: async ({ after: before }, signal): Promise<ChatMessage[]> => {
      let wanted = read('messages').select('*').eq('conversation_id', conversationId)
      // The first condition is one an index can start from; the second settles equal times by id.
      if (before)
        wanted = wanted
          .lte('created_at', before.sentAt)
          .or(`created_at.lt."${before.sentAt}",id.lt.${before.id}`)
      const page = wanted
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(PAGE_SIZE)
      return unwrap(await page.abortSignal(signal)).map(toMessage)
    },
  }),
  select: (pages: Pages<ChatMessage>) => allRows(pages).sort(inOrder),
})

/** Adds a message to those shown, or replaces it; a draft that it was is none any more. */
export function putMessage(cache: QueryClient, conversationId: string, message: ChatMessage): void {
  cache.setQueryData<{ id: string } | null>(chatKeys.draft(conversationId), (left) =>
    left?.id === message.id ? null : left,
  )
  const key = chatKeys.messages(conversationId)
  cache.setQueryData<Pages<ChatMessage>>(key, (shown) => {
    if (!shown) return shown
    const pages = shown.pages.map(({ rows, next }, place) => {
      const others = rows.filter(({ id }) => id !== message.id)
      return { rows: place === 0 ? [message, ...others] : others, next }
    })
    return { ...shown, pages }
  })
}

/** A message as the dialog shows it, from its row: what the server has is delivered. */
export function toMessage(row: MessageRow): ChatMessage {
  return {
    id: row.id,
    senderId: row.sender_id,
    text: row.content,
    kind: row.message_type,
    sentAt: row.created_at,
    state: 'delivered',
  }
}

/** Oldest first, equal times by id. Timestamps in one zone and format sort as text. */
function inOrder(a: ChatMessage, b: ChatMessage): number {
  return a.sentAt < b.sentAt ? -1 : a.sentAt > b.sentAt ? 1 : a.id < b.id ? -1 : 1
}
