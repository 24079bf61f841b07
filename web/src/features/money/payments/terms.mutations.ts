import type { Plan, Settlement } from '#domain/plan.ts'
import { useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { paymentToasts } from './payments.messages.ts'
import { seatKeys } from './seats.queries.ts'

const stale = [seatKeys.all]

/** Changes the terms for new members, and asks each present one. The plan itself is kept current live. */
export const useProposeTerms = ({ id }: Plan, onDone: () => void) =>
  useChange({
    run: (settlement: Settlement) =>
      rpc('propose_terms', { p_subscription_id: id, p_settlement: settlement }),
    stale,
    done: (asked) => {
      paymentToasts.proposed(asked)
      onDone()
    },
    failed: paymentToasts.failed,
  })

/** A member's answer to proposed terms. */
export const useAnswerTerms = () =>
  useChange({
    run: ({ id, accept }: { id: string; accept: boolean }) =>
      rpc('answer_terms', { p_proposal_id: id, p_accept: accept }),
    stale,
    done: (_answered, { accept }) => paymentToasts.answered(accept),
    failed: paymentToasts.failed,
  })

/** Ends a member's place with its current period; calls `onSettled` whether that works or not. */
export const useEndWithPeriod = (onSettled: () => void) =>
  useChange({
    run: (seatId: string) => rpc('end_seat_with_period', { p_seat_id: seatId }),
    stale,
    done: (endsAt) => {
      paymentToasts.endsWithPeriod(endsAt)
      onSettled()
    },
    failed: (problem) => {
      paymentToasts.failed(problem)
      onSettled()
    },
  })
