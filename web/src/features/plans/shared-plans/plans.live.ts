import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { Plan } from '#domain/plan.ts'
import { changeIn, patch } from '#lib/cache.ts'
import { useLive } from '#lib/live.ts'
import { onSession } from '#lib/session.ts'
import { type JoinedPlan, type PlanPage, type PlanRow, planKeys, toPlan } from './plans.queries.ts'

/** Keeps a person's lists of owned and joined plans current. */
export function useMyPlansLive(userId: string): void {
  const cache = useQueryClient()
  const owned = planKeys.owned(userId)
  useLive(
    `my-plans-${userId}`,
    [
      { table: 'shared_subscriptions', filter: `owner_id=eq.${userId}` },
      { table: 'subscription_members', filter: `user_id=eq.${userId}`, event: 'INSERT' },
    ],
    {
      keys: [planKeys.lists],
      use: (change) => {
        if (change.eventType !== 'UPDATE' || change.table !== 'shared_subscriptions') return false
        const { new: row } = change
        changeIn<Plan>(cache, owned, row.id, (plan) => withRow(plan, row))
        return 'put'
      },
      on: { forceSubscriptionsRefresh: 'now', subscriptionCreated: 'now' },
    },
  )
  // Deletions are sent to everybody and contain only the id, so most of them concern other people's plans.
  useLive(`left-plans-${userId}`, [{ table: 'subscription_members', event: 'DELETE' }], {
    keys: [planKeys.lists],
    use: ({ old }) => {
      const joined = cache.getQueryData<JoinedPlan[]>(planKeys.joined(userId))
      return !joined?.some(({ membershipId }) => 'id' in old && membershipId === old.id)
    },
  })
}

/** Keeps a plan and the person's relation to it current; the relation changes on removal or sign-in. */
export function usePlanLive(planId: string, userId: string): void {
  const cache = useQueryClient()
  const page = planKeys.page(planId, userId)
  const { now } = useLive(
    `plan-${planId}`,
    [
      { table: 'shared_subscriptions', filter: `id=eq.${planId}` },
      // Deletions cannot be filtered.
      { table: 'plan_departures', event: 'DELETE' },
    ],
    {
      keys: [page],
      use: (change) => {
        if (change.table === 'plan_departures')
          return !('subscription_id' in change.old && change.old.subscription_id === planId)
        if (change.eventType !== 'UPDATE') return false
        const { new: row } = change
        const members = cache.getQueryData<PlanPage>(page)?.plan.currentMembers
        patch<PlanPage>(cache, page, (shown) => ({ ...shown, plan: withRow(shown.plan, row) }))
        return members === row.current_members && 'put'
      },
    },
  )
  const reload = useEffectEvent(now)
  useEffect(() => onSession((_event, { status }) => status === 'signed-in' && reload()), [])
}

/** Merges a row received live into a plan. The row lacks the owner's name and picture. */
const withRow = (plan: Plan, row: Omit<PlanRow, 'profile'>): Plan => ({
  ...toPlan({ ...row, profile: null }),
  ownerName: plan.ownerName,
  ownerAvatarUrl: plan.ownerAvatarUrl,
})
