import { useQueryClient } from '@tanstack/react-query'
import { useEffectEvent } from 'react'
import { useBrowserEvent } from '#lib/events.ts'
import { useLive, useLiveQueries } from '#lib/live.ts'
import { type JoinedPlan, planKeys } from './plans.queries.ts'

/** Keeps both lists of a person's plans current. */
export function useMyPlansLive(userId: string): void {
  const cache = useQueryClient()
  const reload = useEffectEvent(() => void cache.invalidateQueries({ queryKey: planKeys.lists }))
  useLiveQueries(
    `my-plans-${userId}`,
    [
      { table: 'shared_subscriptions', filter: `owner_id=eq.${userId}` },
      { table: 'subscription_members', filter: `user_id=eq.${userId}`, event: 'INSERT' },
    ],
    [planKeys.lists],
  )
  // Removals reach everybody and name only the row, so most of them are about other people's plans.
  useLive(`left-plans-${userId}`, [{ table: 'subscription_members', event: 'DELETE' }], {
    onChange: ({ old }) => {
      const joined = cache.getQueryData<JoinedPlan[]>(planKeys.joined(userId))
      if (joined?.some(({ membershipId }) => 'id' in old && membershipId === old.id)) reload()
    },
  })
  useBrowserEvent('forceSubscriptionsRefresh', () => reload())
  useBrowserEvent('subscriptionCreated', () => reload())
}

/** Keeps one plan current, and what its person is to it: a removal changes the plan's count. */
export function usePlanLive(planId: string): void {
  useLiveQueries(
    `plan-${planId}`,
    [{ table: 'shared_subscriptions', filter: `id=eq.${planId}` }],
    [planKeys.ofId(planId)],
  )
}
