import { t } from '@lingui/core/macro'
import type { Database } from '@potluck/supabase/types'
import type { Plan } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import type { Level } from '#domain/standing.ts'
import { showAtOnce } from '#lib/cache.ts'
import { camel } from '#lib/camel.ts'
import { useChange } from '#lib/change.ts'
import { AppError, PERMISSION_DENIED, unwrap } from '#lib/errors.ts'
import { withinLimit } from '#lib/rate-limit.ts'
import { supabase } from '#lib/supabase.ts'
import { planToasts } from './plans.messages.ts'
import { type PlanPage, planKeys } from './plans.queries.ts'

const ownerOnly = t`Only the subscription owner can do this`

/** Opens or closes slots: `slots` is the new owner_max_members, owner included. Updates the screen immediately. */
export const useChangeSlots = ({ id }: Plan, userId: string) =>
  useChange({
    run: async (slots: number) => {
      const change = supabase().from('shared_subscriptions').update({ owner_max_members: slots }).eq('id', id)
      await withinLimit('owner action', async () => mustHaveHit(unwrap(await change.select('id'))))
    },
    stale: [planKeys.all],
    show: (slots, cache) =>
      showAtOnce<PlanPage>(cache, planKeys.page(id, userId), (page) => ({
        ...page,
        plan: { ...page.plan, ownerMaxMembers: slots },
      })),
    announces: { subscriptionUpdated: { subscriptionId: id } },
    done: planToasts.slotsUpdated,
    failed: planToasts.slotsFailed,
  })

type Columns = Database['public']['Tables']['shared_subscriptions']['Update']

/** Changes one setting of a plan. Updates the screen immediately. */
const useSetting = <Value>({ id }: Plan, userId: string, columns: (value: Value) => Columns) =>
  useChange({
    run: async (value: Value) => {
      const change = supabase().from('shared_subscriptions').update(columns(value)).eq('id', id)
      await withinLimit('owner action', async () => unwrap(await change.select('id').single()))
    },
    stale: [planKeys.ofId(id)],
    show: (value, cache) =>
      showAtOnce<PlanPage>(cache, planKeys.page(id, userId), (page) => ({
        ...page,
        plan: { ...page.plan, ...camel<Partial<Plan>>(columns(value)) },
      })),
    announces: { subscriptionUpdated: { subscriptionId: id } },
    failed: planToasts.changeFailed,
  })

/** Makes a plan private (only people with its link can find it) or public. */
export const useHidePlan = (plan: Plan, userId: string) =>
  useSetting(plan, userId, (is_private: boolean) => ({ is_private }))

/** Sets the lowest standing that gets a place without approval; null turns instant places off. */
export const useLetInAtOnce = (plan: Plan, userId: string) =>
  useSetting(plan, userId, (instant_from: Level | null) => ({ instant_from }))

/** Ends a plan for everyone. If the database refuses, the screen does not change. */
export const useCancelPlan = ({ id, provider, name }: Plan, onCancelled: () => void) =>
  useChange({
    run: async () =>
      mustHaveHit(unwrap(await supabase().from('shared_subscriptions').delete().eq('id', id).select('id'))),
    // The person is about to leave the plan's page, so it is not reloaded.
    stale: [{ queryKey: planKeys.ofId(id), refetchType: 'none' }, planKeys.lists],
    announces: { subscriptionDeleted: { subscriptionId: id } },
    done: () => {
      planToasts.cancelled(`${provider} ${planName(name)}`)
      onCancelled()
    },
    failed: planToasts.cancelFailed,
  })

/** Throws if no row was changed: row-level security hides forbidden rows, so a refusal looks like no match. */
function mustHaveHit(rows: unknown[]): void {
  if (rows.length === 0) throw new AppError(PERMISSION_DENIED, ownerOnly)
}
