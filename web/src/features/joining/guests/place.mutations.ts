import { t } from '@lingui/core/macro'
import { seatKeys } from '#features/money/payments/seats.queries.ts'
import { planKeys } from '#features/plans/shared-plans/plans.queries.ts'
import { useChange } from '#lib/change.ts'
import { withName } from '#lib/name.ts'
import { rpc } from '#lib/supabase.ts'
import { explain } from '#ui/toasts.ts'
import { placeKey } from './place.queries.ts'
import { forgetPlace } from './place-memory.ts'

/** Takes the place over for the signed-in account. The answer is the plan's id. */
export const useClaimPlace = (secret: string, onClaimed: (planId: string) => unknown) =>
  useChange({
    run: () => withName(() => rpc('claim_place', { p_secret: secret })),
    stale: [seatKeys.all, planKeys.all],
    done: (planId) => {
      forgetPlace()
      onClaimed(planId)
    },
    failed: (problem) => explain(problem, t`That didn’t work. Please try again.`),
  })

type PlaceStep =
  | { step: 'paid'; paymentId: string; how?: string }
  | { step: 'terms'; proposalId: string; accept: boolean }
  | { step: 'leave' | 'forget' }

/** What the holder of a link does with their place. */
export const usePlaceStep = (secret: string) =>
  useChange({
    run: (done: PlaceStep): Promise<unknown> => {
      const p_secret = secret
      switch (done.step) {
        case 'paid':
          return rpc('place_said_paid', {
            ...{ p_secret, p_payment_id: done.paymentId, ...(done.how && { p_note: done.how }) },
          })
        case 'terms':
          return rpc('place_answered_terms', {
            ...{ p_secret, p_proposal_id: done.proposalId, p_accept: done.accept },
          })
        case 'leave':
          return rpc('place_leaves', { p_secret })
        case 'forget':
          return rpc('place_forgets', { p_secret })
      }
    },
    stale: [placeKey(secret)],
    failed: (problem) => explain(problem, t`That didn’t work. Please try again.`),
  })
