import type { QueryClient } from '@tanstack/react-query'
import { unwrap } from '#lib/errors.ts'
import { allRows, type Pages, pagedQuery } from '#lib/query.ts'
import { read } from '#lib/supabase.ts'
import { chatKeys, type MessageRow } from './chat.queries.ts'

const PAGE_SIZE = 30

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

/** What was said in a conversation, oldest first: its end at once, what came before page by page. */
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

/** Adds a message to what is shown; one that is there already is replaced. */
export function putMessage(cache: QueryClient, conversationId: string, message: ChatMessage): void {
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

/** A stored message, or one that arrived live, as the dialog knows it: what the server has is delivered. */
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

/** Oldest first, equal times by id. Timestamps of one zone and format stand in the order of their text. */
function inOrder(a: ChatMessage, b: ChatMessage): number {
  return a.sentAt < b.sentAt ? -1 : a.sentAt > b.sentAt ? 1 : a.id < b.id ? -1 : 1
}
