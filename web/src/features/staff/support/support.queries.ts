import { keepPreviousData } from '@tanstack/react-query'
import { camel, type RowOf } from '#lib/camel.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export const supportKeys = { all: ['support'] } as const

/** A support request of the signed-in person. Times are ISO; `answer` is null until staff have answered. */
export type OwnRequest = RowOf<'my_support_requests', 'answer' | 'answeredAt'>

/** A support request, for staff. The writer is null once their account is deleted. */
export type SupportRequest = RowOf<
  'list_support_requests',
  'writerId' | 'writerName' | 'avatarUrl' | 'answer' | 'answeredAt' | 'answeredByName'
>

/** The signed-in person's support requests, latest first. */
export const ownRequestsQuery = (userId: string) =>
  query({
    key: [...supportKeys.all, userId],
    load: async (signal) => (await rpc('my_support_requests', {}, signal)).map(camel<OwnRequest>),
  })

/** Open support requests, oldest first, or answered ones, latest first. For staff. */
export const supportQuery = (isAnswered: boolean) =>
  query({
    key: [...supportKeys.all, { isAnswered }],
    placeholderData: keepPreviousData,
    load: async (signal) =>
      (await rpc('list_support_requests', { p_answered: isAnswered }, signal)).map(camel<SupportRequest>),
  })
