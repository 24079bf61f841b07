import type { RequestDraft } from '#features/money/cards/request-before-card.ts'
import { marketKeys, type Offer } from '#features/plans/browse/market.queries.ts'
import { planKeys } from '#features/plans/shared-plans/plans.queries.ts'
import { withAge } from '#lib/age.ts'
import { useChange } from '#lib/change.ts'
import { unwrap } from '#lib/errors.ts'
import { announce } from '#lib/events.ts'
import { withName } from '#lib/name.ts'
import { withinLimit } from '#lib/rate-limit.ts'
import { supabase } from '#lib/supabase.ts'
import { tellTimeZone } from '#lib/time-zone.ts'
import { joinRequestKeys } from './join-requests.queries.ts'
import { joinFailure, requestToasts } from './request-to-join.messages.ts'

/** The values of the request form. */
export interface Draft extends RequestDraft {
  /** True if the person asks for the place to begin immediately, which a plan paid through the site requires. */
  beginsAtOnce: boolean
}

/** The row of a draft. The compiler asks for each field that a draft gains. */
function toRow({ message, coinsFirst, beginsAtOnce, ...others }: Draft) {
  others satisfies Record<string, never>
  return {
    message: message.trim(),
    coins_first: coinsFirst,
    // The database replaces this time with its own.
    begins_at_once_at: beginsAtOnce ? new Date().toISOString() : null,
  }
}

interface NewJoinRequest extends Draft {
  plan: Offer
}

/** Requests a place, or takes one immediately; the database decides which, and sets the requester and the time. */
export const useRequestToJoin = (
  userId: string,
  after: {
    onSent: (plan: Offer) => void
    onLetIn: (plan: Offer) => void
    onRefused: () => void
  },
) =>
  useChange({
    run: ({ plan, ...draft }: NewJoinRequest) =>
      withinLimit('join request', () =>
        withName(async () => {
          await tellTimeZone(userId)
          const row = { subscription_id: plan.id, ...toRow(draft) }
          const ask = () => supabase().from('subscription_requests').insert(row).select('status').single()
          return withAge(async () => unwrap(await ask()))
        }),
      ),
    stale: (problem) => {
      // Refetch nothing here: the events announced below reload the lists on screen.
      if (!problem)
        return [joinRequestKeys.awaitingOf(userId), planKeys.lists].map((queryKey) => ({
          queryKey,
          refetchType: 'none' as const,
        }))
      // The marketplace showed a plan that can no longer be joined, so reload it.
      return joinFailure(problem).final ? [marketKeys.all] : []
    },
    announces: ({ status }, { plan }) => ({
      subscriptionRequestSent: { subscriptionId: plan.id },
      ...(status !== 'pending' && { forceSubscriptionsRefresh: null }),
    }),
    done: ({ status }, { plan }) => {
      if (status === 'pending') {
        requestToasts.sent()
        return after.onSent(plan)
      }
      after.onLetIn(plan)
    },
    failed: (problem) => {
      const failure = joinFailure(problem)
      requestToasts.failed(problem, failure)
      if (!failure.final) return
      announce('forceSubscriptionsRefresh')
      after.onRefused()
    },
  })
