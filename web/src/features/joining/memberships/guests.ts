import { t } from '@lingui/core/macro'
import { seatKeys } from '#features/money/payments/seats.queries.ts'
import { planKeys } from '#features/plans/shared-plans/plans.queries.ts'
import { camel, type RowOf } from '#lib/camel.ts'
import { useChange } from '#lib/change.ts'
import { withProof } from '#lib/proof.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { announce } from '#ui/announce.ts'
import { explain } from '#ui/toasts.ts'
import { membershipKeys } from './memberships.queries.ts'

/** A guest, a person without an account, as the owner sees them. */
export type Guest = Omit<
  RowOf<'plan_guests', 'email' | 'language' | 'firstOpenedAt' | 'lastOpenedAt'>,
  'notes'
> & {
  notes: { byOwner: boolean; text: string; at: string }[]
}

/** The guests of a plan, for its owner. */
export const planGuestsQuery = (planId: string) =>
  query({
    key: [...membershipKeys.ofPlan(planId), 'guests'],
    load: async (signal): Promise<Guest[]> =>
      (await rpc('plan_guests', { p_subscription_id: planId }, signal)).map(camel<Guest>),
  })

const failed = (problem: unknown) => explain(problem, t`That didn’t work. Please try again.`)

/** The address of a guest, and the language of mails to it. Without an address there are none. */
export interface GuestAddress {
  email: string
  language: string
}

/** Adds a person without an account. The answer is the secret of their link. */
export const useAddGuest = (planId: string) =>
  useChange({
    run: ({ name, email, language }: GuestAddress & { name: string }) =>
      rpc('add_guest', { p_subscription_id: planId, p_name: name, p_email: email, p_language: language }),
    stale: [membershipKeys.ofPlan(planId), seatKeys.ofPlan(planId), planKeys.all],
    failed,
  })

/**
 * Says whether an account that took over a guest's place is that person. If not, the answer is the secret of a new link
 * for the guest.
 */
export const useAnswerClaim = (planId: string) =>
  useChange({
    run: ({ seatId, isThem }: { seatId: string; isThem: boolean }) =>
      rpc('answer_place_claim', { p_seat_id: seatId, p_is_them: isThem }),
    stale: [membershipKeys.ofPlan(planId), seatKeys.ofPlan(planId)],
    failed,
  })

/** Replaces a guest's links by a new one. The answer is its secret. */
export const useRenewLink = (planId: string) =>
  useChange({
    run: (personId: string) => rpc('renew_place_link', { p_person_id: personId }),
    stale: [membershipKeys.ofPlan(planId)],
    failed,
  })

export const useGuestAddress = (planId: string, personId: string) =>
  useChange({
    run: ({ email, language }: GuestAddress) =>
      rpc('set_guest_address', { p_person_id: personId, p_email: email, p_language: language }),
    stale: [membershipKeys.ofPlan(planId)],
    done: () => announce(t`Saved`),
    failed,
  })

/** Lets a guest open the plan's login with a PIN, which is the answer, or no longer. */
export const useGuestAccess = (planId: string, personId: string) =>
  useChange({
    run: (opens: boolean) =>
      withProof(() => rpc('set_guest_access', { p_person_id: personId, p_opens: opens })),
    stale: [membershipKeys.ofPlan(planId)],
    failed,
  })

export const useNoteToGuest = (planId: string, personId: string) =>
  useChange({
    run: (text: string) => rpc('note_to_guest', { p_person_id: personId, p_text: text }),
    stale: [membershipKeys.ofPlan(planId)],
    failed,
  })
