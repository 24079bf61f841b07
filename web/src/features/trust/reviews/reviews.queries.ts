import { named } from '#domain/plan-name.ts'
import { camel, type RowOf } from '#lib/camel.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export const reviewKeys = {
  all: ['reviews'],
  of: (userId: string, readerId: string | null) => ['reviews', 'of', userId, readerId ?? 'visitor'],
  toWrite: ['reviews', 'to-write'],
} as const

/** A review. The author's id and picture and the plan are null for visitors. */
export type Review = RowOf<'reviews_of', 'authorId' | 'avatarUrl' | 'plan' | 'body' | 'answer'>
export type ReviewToWrite = RowOf<'reviews_to_write', 'avatarUrl'>

/** A person's reviews, newest first, as visible to this reader. `readerId` is null for a visitor. */
export const reviewsQuery = (userId: string, readerId: string | null) =>
  query({
    key: reviewKeys.of(userId, readerId),
    load: async (signal) =>
      (await rpc('reviews_of', { p_person_id: userId }, signal)).map((row) => named(camel<Review>(row))),
  })

/** The seats whose other side the signed-in person may review. */
export const reviewsToWriteQuery = query({
  seen: true,
  key: reviewKeys.toWrite,
  load: async (signal) =>
    (await rpc('reviews_to_write', {}, signal)).map((row) => named(camel<ReviewToWrite>(row))),
})
