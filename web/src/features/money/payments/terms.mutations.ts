import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Plan, Settlement } from '#domain/plan.ts'
import { rpc } from '#lib/supabase.ts'
import { paymentToasts } from './payments.messages.ts'
import { seatKeys } from './seats.queries.ts'

/** Changes the terms for whoever joins, and asks each member. The plan itself is live. */
export function useProposeTerms({ id }: Plan, onDone: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (settlement: Settlement) =>
      rpc('propose_terms', { p_subscription_id: id, p_settlement: settlement }),
    onSuccess: (asked) => {
      paymentToasts.proposed(asked)
      onDone()
    },
    onError: paymentToasts.failed,
    onSettled: () => cache.invalidateQueries({ queryKey: seatKeys.all }),
  })
}

/** What a member says to proposed terms. */
export function useAnswerTerms() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ id, accept }: { id: string; accept: boolean }) =>
      rpc('answer_terms', { p_proposal_id: id, p_accept: accept }),
    onSuccess: (_done, { accept }) => paymentToasts.answered(accept),
    onError: paymentToasts.failed,
    onSettled: () => cache.invalidateQueries({ queryKey: seatKeys.all }),
  })
}

/** Has a member's place end with the period it is in. */
export function useEndWithPeriod(onDone: () => void) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (seatId: string) => rpc('end_seat_with_period', { p_seat_id: seatId }),
    onSuccess: (endsAt) => {
      paymentToasts.endsWithPeriod(endsAt)
    },
    onError: paymentToasts.failed,
    onSettled: async () => {
      onDone()
      await cache.invalidateQueries({ queryKey: seatKeys.all })
    },
  })
}
