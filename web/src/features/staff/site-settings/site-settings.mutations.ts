import { useMutation, useQueryClient } from '@tanstack/react-query'
import { feeRateQuery } from '#features/money/payments/fee.queries.ts'
import { showAtOnce } from '#lib/cache.ts'
import { AppError, PERMISSION_DENIED, unwrap } from '#lib/errors.ts'
import { supabase } from '#lib/supabase.ts'
import { siteSettingsTexts, siteSettingsToasts } from './site-settings.messages.ts'
import { type Settings, siteSettingsQuery } from './site-settings.queries.ts'

type Change = Partial<Omit<Settings, 'updatedAt' | 'updatedBy'>>

/** Changes a setting for everybody; it shows at once and comes back if that fails. */
export function useChangeSettings() {
  const cache = useQueryClient()
  const { queryKey } = siteSettingsQuery
  return useMutation({
    mutationFn: async (change: Change) => {
      const { reviewNewPlans, adjustmentCeiling, requireSecondFactor, feeRate } = change
      const row = {
        ...(reviewNewPlans !== undefined && { review_new_plans: reviewNewPlans }),
        ...(adjustmentCeiling !== undefined && { adjustment_ceiling: adjustmentCeiling }),
        ...(requireSecondFactor !== undefined && { require_second_factor: requireSecondFactor }),
        ...(feeRate !== undefined && { fee_rate: feeRate }),
      }
      const changed = unwrap(await supabase().from('app_settings').update(row).eq('id', true).select('id'))
      if (changed.length === 0) throw new AppError(PERMISSION_DENIED, siteSettingsTexts.notAllowed)
    },
    onMutate: (change) => showAtOnce<Settings>(cache, queryKey, (shown) => ({ ...shown, ...change })),
    onSuccess: siteSettingsToasts.saved,
    onError: (problem, _change, takeBack) => {
      takeBack?.()
      siteSettingsToasts.failed(problem)
    },
    onSettled: () =>
      Promise.all([queryKey, feeRateQuery.queryKey].map((key) => cache.invalidateQueries({ queryKey: key }))),
  })
}
