import { useQuery } from '@tanstack/react-query'
import { camel, type TableRow } from '#lib/camel.ts'
import { useChange } from '#lib/change.ts'
import { unwrap } from '#lib/errors.ts'
import { useLive } from '#lib/live.ts'
import { query } from '#lib/query.ts'
import { read, supabase } from '#lib/supabase.ts'
import { chatToasts } from './chat.messages.ts'
import { chatKeys } from './chat.queries.ts'

/** A message that a person's program has written for them to send; `madeBy` is the name of the program's token. */
export type MessageDraft = Pick<TableRow<'message_drafts'>, 'id' | 'content' | 'madeBy'>

const leftDraftQuery = (conversationId: string) =>
  query({
    key: chatKeys.draft(conversationId),
    load: async (signal): Promise<MessageDraft | null> => {
      const left = read('message_drafts').select('id, content, made_by').eq('conversation_id', conversationId)
      const row = unwrap(await left.abortSignal(signal).maybeSingle())
      return row && camel<MessageDraft>(row)
    },
  })

/** Returns the draft that a program has left in a conversation, and keeps it current. */
export function useMessageDraft(conversationId: string): MessageDraft | null {
  const { data: draft = null } = useQuery(leftDraftQuery(conversationId))
  const filter = `conversation_id=eq.${conversationId}`
  useLive(
    `draft-${conversationId}`,
    [
      { table: 'message_drafts', event: 'INSERT', filter },
      { table: 'message_drafts', event: 'UPDATE', filter },
      { table: 'message_drafts', event: 'DELETE' },
    ],
    {
      keys: [chatKeys.draft(conversationId)],
      soon: 0,
      // Deletions are sent to everybody and contain only the id.
      use: ({ eventType, old }) => eventType === 'DELETE' && old.id !== draft?.id,
    },
  )
  return draft
}

export const useDiscardDraft = (conversationId: string) =>
  useChange({
    run: async ({ id }: MessageDraft) =>
      void unwrap(await supabase().from('message_drafts').delete().eq('id', id)),
    stale: [chatKeys.draft(conversationId)],
    failed: chatToasts.discardFailed,
  })
