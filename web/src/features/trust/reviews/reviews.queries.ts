import type { Database } from '@potluck/supabase/types'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export const reviewKeys = {
  all: ['reviews'],
  of: (userId: string, readerId: string | null) => ['reviews', 'of', userId, readerId ?? 'visitor'],
  toWrite: ['reviews', 'to-write'],
  reported: ['reviews', 'reported'],
} as const

/** What people say of somebody, the latest first, as this reader sees it, null being a visitor. */
export const reviewsQuery = (userId: string, readerId: string | null) =>
  query({
    key: reviewKeys.of(userId, readerId),
    load: async (signal): Promise<Review[]> => rpc('reviews_of', { p_person_id: userId }, signal),
  })

/** The seats whose other side the signed-in person may review. */
export const reviewsToWriteQuery = query({
  key: reviewKeys.toWrite,
  load: (signal) => rpc('reviews_to_write', {}, signal),
})

/** What people have reported, for staff. */
export const reportedReviewsQuery = query({
  key: reviewKeys.reported,
  load: (signal) => rpc('list_reported_reviews', {}, signal),
})

type Rows<Name extends keyof Database['public']['Functions']> =
  Database['public']['Functions'][Name]['Returns']
export type Review = Omit<Rows<'reviews_of'>[number], 'plan'> & {
  /** Visitors are not told. */
  plan: string | null
}
export type ReviewToWrite = Rows<'reviews_to_write'>[number]
export type ReportedReview = Rows<'list_reported_reviews'>[number]
