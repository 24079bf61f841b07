import { marketKeys, type Offer } from '#features/plans/browse/market.queries.ts'
import { planKeys } from '#features/plans/shared-plans/plans.queries.ts'
import { useChange } from '#lib/change.ts'
import { unwrap } from '#lib/errors.ts'
import { announce } from '#lib/events.ts'
import { withName } from '#lib/name.ts'
import { withinLimit } from '#lib/rate-limit.ts'
import { supabase } from '#lib/supabase.ts'
import { tellTimeZone } from '#lib/time-zone.ts'
import { joinRequestKeys } from './join-requests.queries.ts'
import { joinFailure, requestToasts } from './request-to-join.messages.ts'

/** What a person enters to ask for a place. */
export interface Draft {
  message: string
  /** Whether coins are used up first, on a plan that is paid through the site. */
  coinsFirst: boolean
  /** Whether they ask us to begin at once, which a plan that is paid through the site needs. */
  beginsAtOnce: boolean
}

interface Request extends Draft {
  plan: Offer
}

/** Asks the owner for a place, or takes one without asking; the database decides which, and notes who asked and when. */
export const useRequestToJoin = (
  userId: string,
  after: {
    onSent: (plan: Offer) => void
    onLetIn: (plan: Offer) => void
    onRefused: () => void
  },
) =>
  useChange({
    run: async ({ plan, message, coinsFirst, beginsAtOnce }: Request) => {
      const request = {
        subscription_id: plan.id,
        message: message.trim(),
        coins_first: coinsFirst,
        // The database puts its own time here.
        begins_at_once_at: beginsAtOnce ? new Date().toISOString() : null,
      }
      return withinLimit('join request', () =>
        withName(async () => {
          await tellTimeZone(userId)
          const sent = supabase().from('subscription_requests').insert(request).select('status')
          return unwrap(await sent.single())
        }),
      )
    },
    stale: (problem) => {
      // Lists on screen are reloaded by the events below.
      if (!problem)
        return [joinRequestKeys.awaitingOf(userId), planKeys.lists].map((queryKey) => ({
          queryKey,
          refetchType: 'none' as const,
        }))
      // The market offered what can no longer be had.
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
      requestToasts.letIn(`${plan.provider} ${plan.name}`)
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
