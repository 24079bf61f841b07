import type { Database } from '@potluck/supabase/types'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'

export const reviewKeys = {
  all: ['reviews'],
  of: (userId: string) => ['reviews', 'of', userId],
  toWrite: ['reviews', 'to-write'],
  reported: ['reviews', 'reported'],
} as const

/** What people say of somebody, the latest first. */
export const reviewsQuery = (userId: string) =>
  query({ key: reviewKeys.of(userId), load: (signal) => rpc('reviews_of', { p_person_id: userId }, signal) })

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
export type Review = Rows<'reviews_of'>[number]
export type ReviewToWrite = Rows<'reviews_to_write'>[number]
export type ReportedReview = Rows<'list_reported_reviews'>[number]
