import { t } from '@lingui/core/macro'
import { LIMITS } from '@potluck/supabase/limits'
import { duration } from '#domain/duration.ts'
import { showAtOnce } from '#lib/cache.ts'
import { useChange } from '#lib/change.ts'
import { unwrap } from '#lib/errors.ts'
import { withinLimit } from '#lib/rate-limit.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { explain, toastSuccess } from '#ui/toasts.ts'
import { alertKeys, type PlanAlert } from './alerts.queries.ts'
import { type MarketSearch, marketFilterOf } from './market-search.ts'

/** Creates a plan alert: the person is notified of plans that match the search. */
export const useLookForPlan = (userId: string) =>
  useChange({
    run: (search: MarketSearch) => {
      const filter = marketFilterOf(search)
      return withinLimit('plan alert', () =>
        rpc('create_plan_alert', {
          p_search: filter.search || null,
          p_category: filter.category === 'all' ? null : filter.category,
          p_provider: filter.provider ?? null,
          p_most: filter.most ?? null,
          p_settlement: filter.settlement ?? null,
          p_level: filter.level ?? null,
          p_instant: filter.instant ?? false,
        }),
      )
    },
    stale: [alertKeys.of(userId)],
    done: () =>
      toastSuccess(
        t`Alert Set`,
        t`We’ll tell you when a place opens, for ${duration(LIMITS.alertLifetimeHours)}.`,
      ),
    failed: (problem) => explain(problem, ({ message }) => [t`That didn’t work`, message]),
  })

export const useStopLooking = (userId: string) =>
  useChange({
    run: async ({ id }: PlanAlert) => unwrap(await supabase().from('plan_alerts').delete().eq('id', id)),
    stale: [alertKeys.of(userId)],
    show: ({ id }, cache) =>
      showAtOnce<PlanAlert[]>(cache, alertKeys.of(userId), (shown) => shown.filter((one) => one.id !== id)),
    failed: (problem) => explain(problem, t`The alert is still on. Please try again.`),
  })
