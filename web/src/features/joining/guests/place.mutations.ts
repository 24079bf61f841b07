import { t } from '@lingui/core/macro'
import { seatKeys } from '#features/money/payments/seats.queries.ts'
import { planKeys } from '#features/plans/shared-plans/plans.queries.ts'
import { useChange } from '#lib/change.ts'
import { withName } from '#lib/name.ts'
import { saveFile } from '#lib/save-file.ts'
import { rpc } from '#lib/supabase.ts'
import { explain } from '#ui/toasts.ts'
import { placeKey } from './place.queries.ts'
import { forgetPlace } from './place-memory.ts'

const failed = (problem: unknown) => explain(problem, t`That didn’t work. Please try again.`)

/** Takes the place over for the signed-in account. The answer is the plan's id. */
export const useClaimPlace = (secret: string, onClaimed: (planId: string) => unknown) =>
  useChange({
    run: () => withName(() => rpc('claim_place', { p_secret: secret })),
    stale: [seatKeys.all, planKeys.all],
    done: (planId) => {
      forgetPlace()
      onClaimed(planId)
    },
    failed,
  })

type PlaceStep =
  | { step: 'paid'; paymentId: string; how?: string }
  | { step: 'terms'; proposalId: string; accept: boolean }
  | { step: 'note' | 'report'; text: string }
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
        case 'note':
          return rpc('place_note', { p_secret, p_text: done.text })
        case 'report':
          return rpc('place_reports', { p_secret, p_reason: done.text })
        case 'leave':
          return rpc('place_leaves', { p_secret })
        case 'forget':
          return rpc('place_forgets', { p_secret })
      }
    },
    stale: [placeKey(secret)],
    failed,
  })

/** Makes, replaces or ends the calendar feed of a place. The answer is the secret of its address. */
export const usePlaceCalendar = (secret: string) =>
  useChange({
    run: (wanted: boolean) => rpc('place_calendar', { p_secret: secret, p_wanted: wanted }),
    stale: [placeKey(secret)],
    failed,
  })

/** Downloads all that is stored about the guest. */
export const usePlaceExport = (secret: string) =>
  useChange({
    run: async () => {
      const stored = await rpc('place_export', { p_secret: secret })
      saveFile('potluck-place.json', 'application/json', JSON.stringify(stored, null, 2))
    },
    failed,
  })
