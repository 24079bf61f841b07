import { t } from '@lingui/core/macro'
import type { TableRow } from '#lib/camel.ts'
import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read } from '#lib/supabase.ts'

/**
 * The settings of the site. The ceiling is in coins, the fee rate a share of the price such as 0.1. `updatedBy` is a
 * name, null if nothing has been changed yet or the server made the change.
 */
export type Settings = Omit<TableRow<'app_settings'>, 'id'>

export const siteSettingsQuery = query({
  key: ['site-settings'],
  // No event is sent when another admin changes the settings.
  staleTime: 0,
  load: async (signal): Promise<Settings> => {
    const wanted = read('app_settings').select(
      'reviewNewPlans:review_new_plans, signUps:sign_ups, takesReports:takes_reports, askAge:ask_age, ruleAnyone:rule_anyone, rulePeopleYouKnow:rule_people_you_know, ruleHousehold:rule_household, ruleUnknown:rule_unknown, adjustmentCeiling:adjustment_ceiling, requireSecondFactor:require_second_factor, feeRate:fee_rate, admitOnDebit:admit_on_debit, paymentSupply:payment_supply, twoAdminsUntil:two_admins_until, updatedAt:updated_at, editor:user_profiles(display_name)',
    )
    const { editor, ...settings } = unwrap(await wanted.abortSignal(signal).single())
    return { ...settings, updatedBy: editor && (editor.display_name ?? t`Unknown`) }
  },
})
