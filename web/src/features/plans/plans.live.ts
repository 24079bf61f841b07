import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useBrowserEvent } from '#lib/events.ts'
import { useLive, useLiveQueries } from '#lib/live.ts'
import { onSession } from '#lib/session.ts'
import { type JoinedPlan, planKeys } from './plans.queries.ts'

/** In ms: how soon a change reaches the lists, and how often at most. */
export const LIST_REFRESH = { debounceMs: 500, throttleMs: 5000 } as const
/** In ms: a plan just loaded is not loaded again within 2 s, nor later than that. */
export const PLAN_REFRESH = { debounceMs: 300, throttleMs: 2000 } as const

/** Keeps both lists of a person's plans current. */
export function useMyPlansLive(userId: string): void {
  const cache = useQueryClient()
  const reload = useLiveQueries(
    `my-plans-${userId}`,
    [
      { table: 'shared_subscriptions', filter: `owner_id=eq.${userId}` },
      { table: 'subscription_members', filter: `user_id=eq.${userId}`, event: 'INSERT' },
    ],
    [planKeys.lists],
    LIST_REFRESH,
  )
  // Removals reach everybody and name only the row, so most of them are about other people's plans.
  useLive(`left-plans-${userId}`, [{ table: 'subscription_members', event: 'DELETE' }], {
    onChange: ({ old }) => {
      const joined = cache.getQueryData<JoinedPlan[]>(planKeys.joined(userId))
      if (joined?.some(({ membershipId }) => 'id' in old && membershipId === old.id)) reload()
    },
  })
  useBrowserEvent('forceSubscriptionsRefresh', reload)
  useBrowserEvent('subscriptionCreated', reload)
}

/** Keeps one plan current, and what its person is to it: a removal changes the plan's count, and so may signing in. */
export function usePlanLive(planId: string, userId: string): void {
  const reload = useLiveQueries(
    `plan-${planId}`,
    [{ table: 'shared_subscriptions', filter: `id=eq.${planId}` }],
    [planKeys.page(planId, userId)],
    PLAN_REFRESH,
  )
  useEffect(() => onSession((_event, { status }) => status === 'signed-in' && reload()), [reload])
  useLiveQueries(
    `login-of-plan-${planId}`,
    [{ table: 'subscription_logins', filter: `subscription_id=eq.${planId}` }],
    [planKeys.login(planId)],
  )
}
