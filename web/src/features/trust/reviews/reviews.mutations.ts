import { useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { reviewToasts } from './reviews.messages.ts'
import { type ReviewToWrite, reviewKeys } from './reviews.queries.ts'

const always = { stale: [reviewKeys.all], failed: reviewToasts.failed }

/** Writes a review of the person on the other side of a seat. */
export const useWriteReview = ({ seatId, personName }: ReviewToWrite, onDone: () => void) =>
  useChange({
    ...always,
    run: ({ rating, text }: { rating: number; text: string }) =>
      rpc('review_seat', { p_seat_id: seatId, p_rating: rating, p_text: text }),
    done: () => {
      onDone()
      reviewToasts.written(personName)
    },
  })

/** Answers a review of the signed-in person. */
export const useAnswerReview = (id: string, onDone: () => void) =>
  useChange({
    ...always,
    run: (text: string) => rpc('answer_review', { p_review_id: id, p_text: text }),
    done: onDone,
  })
