import { t } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { planKeys } from '#features/plans/shared-plans/plans.queries.ts'
import { withAge } from '#lib/age.ts'
import { EVERYTHING, useChange } from '#lib/change.ts'
import { withProof } from '#lib/proof.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { explain } from '#ui/toasts.ts'

const offerSchema = z.nullable(
  z.object({
    /** The other side. */
    ...{ person: z.string(), personId: z.string() },
    isYours: z.boolean(),
    /** Whether the owner agrees that the plan changes hands as soon as the member accepts. */
    atOnce: z.boolean(),
    acceptedAt: z.nullable(z.string()),
    /** When the plan changes hands. */
    at: z.string(),
    /** Per cycle: the price, what its present owner pays from then on, and what stays with the new one. */
    ...{ price: z.number(), share: z.number(), rest: z.number() },
    ...{ currency: z.string(), months: z.number() },
  }),
)

/** The open offer of a plan to one of its members, for both sides; null if there is none. Times are ISO. */
export const planOfferQuery = (planId: string) =>
  query({
    key: [...planKeys.ofId(planId), 'offer'],
    load: async (signal) =>
      offerSchema.parse(await rpc('get_plan_offer', { p_subscription_id: planId }, signal)),
  })

const failed = (problem: unknown) => explain(problem, t`That didn’t work. Please try again.`)

/** Offers the plan to a member. */
export const useOfferPlan = (planId: string, done: () => void) =>
  useChange({
    run: ({ personId, atOnce }: { personId: string; atOnce: boolean }) =>
      withProof(() =>
        rpc('offer_plan', { p_subscription_id: planId, p_person_id: personId, p_at_once: atOnce }),
      ),
    stale: [planKeys.ofId(planId)],
    done,
    failed,
  })

export const useWithdrawOffer = (planId: string) =>
  useChange({
    run: () => rpc('withdraw_plan_offer', { p_subscription_id: planId }),
    stale: [planKeys.ofId(planId)],
    failed,
  })

/** Answers the offer: `now` takes the plan over at once. */
export const useAnswerOffer = (planId: string) =>
  useChange<'now' | 'later' | 'decline', unknown>({
    run: (answer) =>
      answer === 'decline'
        ? rpc('decline_plan', { p_subscription_id: planId })
        : withAge(() => rpc('accept_plan', { p_subscription_id: planId, p_at_once: answer === 'now' })),
    stale: [EVERYTHING],
    failed,
  })
