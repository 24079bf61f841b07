import { keepPreviousData } from '@tanstack/react-query'
import { camel, type RowOf } from '#lib/camel.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export const supportKeys = { all: ['support'] } as const

/** What the reader wrote to staff. Times are ISO; there is no answer until staff has given one. */
export type OwnRequest = RowOf<'my_support_requests', 'answer' | 'answeredAt'>

/** What somebody wrote to staff; there is no writer once they have left. */
export type SupportRequest = RowOf<
  'list_support_requests',
  'writerId' | 'writerName' | 'avatarUrl' | 'answer' | 'answeredAt' | 'answeredByName'
>

/** What the signed-in person wrote, the latest first. */
export const ownRequestsQuery = (userId: string) =>
  query({
    key: [...supportKeys.all, userId],
    load: async (signal) => (await rpc('my_support_requests', {}, signal)).map(camel<OwnRequest>),
  })

/** What awaits an answer, the oldest first, or was answered, the latest first. For staff. */
export const supportQuery = (isAnswered: boolean) =>
  query({
    key: [...supportKeys.all, { isAnswered }],
    placeholderData: keepPreviousData,
    load: async (signal) =>
      (await rpc('list_support_requests', { p_answered: isAnswered }, signal)).map(camel<SupportRequest>),
  })
