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
  /** True if staff have removed the text. */
  isRemoved: boolean
  /** ISO timestamp in the database's format, with microseconds. */
  sentAt: string
  state: 'sending' | 'delivered' | 'failed'
}

/** The messages of a conversation, oldest first. The latest messages are loaded first, earlier ones in pages. */
export const messagesQuery = (conversationId: string) => ({
  ...pagedQuery({
    key: chatKeys.messages(conversationId),
    size: PAGE_SIZE,
    load: async ({ after: before }, signal): Promise<ChatMessage[]> => {
      let wanted = read('messages').select('*').eq('conversation_id', conversationId)
      // The first condition can use an index; the second breaks ties of equal times by id.
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

/**
 * Adds a message to the list, or replaces it. Removes the draft with the same id, which has been sent as this message.
 */
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

/** Converts a row. A stored message counts as delivered. */
export function toMessage(row: MessageRow): ChatMessage {
  return {
    id: row.id,
    senderId: row.sender_id,
    text: row.content,
    kind: row.message_type,
    isRemoved: row.is_removed,
    sentAt: row.created_at,
    state: 'delivered',
  }
}

/** Compares by time, then id. Timestamps of one zone and format sort as text. */
function inOrder(a: ChatMessage, b: ChatMessage): number {
  return a.sentAt < b.sentAt ? -1 : a.sentAt > b.sentAt ? 1 : a.id < b.id ? -1 : 1
}
