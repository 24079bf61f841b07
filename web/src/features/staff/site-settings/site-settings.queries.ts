import { t } from '@lingui/core/macro'
import type { TableRow } from '#lib/camel.ts'
import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read } from '#lib/supabase.ts'

/**
 * What staff has decided about the site. The ceiling is in coins, the fee a share of the price such as 0.1; `updatedBy` is a name,
 * null if nobody has changed anything yet, or the server did.
 */
export type Settings = Omit<TableRow<'app_settings'>, 'id'>

export const siteSettingsQuery = query({
  key: ['site-settings'],
  // Other admins change them too, and nothing announces it.
  staleTime: 0,
  load: async (signal): Promise<Settings> => {
    const wanted = read('app_settings').select(
      'reviewNewPlans:review_new_plans, adjustmentCeiling:adjustment_ceiling, requireSecondFactor:require_second_factor, feeRate:fee_rate, admitOnDebit:admit_on_debit, twoAdminsUntil:two_admins_until, updatedAt:updated_at, editor:user_profiles(display_name)',
    )
    const { editor, ...settings } = unwrap(await wanted.abortSignal(signal).single())
    return { ...settings, updatedBy: editor && (editor.display_name ?? t`Unknown`) }
  },
})
