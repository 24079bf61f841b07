import { useMutation, useQueryClient } from '@tanstack/react-query'
import { rpc } from '#lib/supabase.ts'
import { reviewToasts } from './reviews.messages.ts'
import { type ReviewToWrite, reviewKeys } from './reviews.queries.ts'

interface Written {
  rating: number
  text: string
}

/** Says how it was with somebody. */
export function useWriteReview({ seat_id, person_name }: ReviewToWrite, onDone: () => void) {
  return useReviewing(
    ({ rating, text }: Written) => rpc('review_seat', { p_seat_id: seat_id, p_rating: rating, p_text: text }),
    () => {
      onDone()
      reviewToasts.written(person_name)
    },
  )
}

/** Answers what somebody said of oneself. */
export const useAnswerReview = (id: string, onDone: () => void) =>
  useReviewing(
    (text: string) => rpc('answer_review', { p_review_id: id, p_text: text }),
    () => {
      onDone()
      reviewToasts.answered()
    },
  )

/** Has staff look at a review. */
export const useReportReview = (id: string, onDone: () => void) =>
  useReviewing(
    (reason: string) => rpc('report_review', { p_review_id: id, p_reason: reason }),
    () => {
      onDone()
      reviewToasts.reported()
    },
  )

/** Hides a reported review with a reason, or without one leaves it. */
export const useDecideReview = (id: string, onDone: () => void) =>
  useReviewing(
    (reason: string | null) => rpc('decide_review', { p_review_id: id, p_hidden_reason: reason }),
    (reason) => {
      onDone()
      reviewToasts.decided(reason !== null)
    },
  )

function useReviewing<Sent>(send: (sent: Sent) => Promise<unknown>, onDone: (sent: Sent) => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (_done, sent) => onDone(sent),
    onError: reviewToasts.failed,
    onSettled: () => cache.invalidateQueries({ queryKey: reviewKeys.all }),
  })
}
