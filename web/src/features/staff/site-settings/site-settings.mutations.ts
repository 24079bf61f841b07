import { signUpsQuery } from '#features/account/auth/InvitedOnly.tsx'
import { type Operator, operatorQuery } from '#features/account/sellers/operator.queries.ts'
import { takesTwoAdminsQuery } from '#features/money/withdrawals/withdrawals.queries.ts'
import { feeRateQuery } from '#features/plans/catalogue/fee.queries.ts'
import { restrictedProvidersQuery } from '#features/plans/catalogue/provider-rules.ts'
import { showAtOnce } from '#lib/cache.ts'
import { useChange } from '#lib/change.ts'
import { config, setConfig } from '#lib/config.ts'
import { AppError, PERMISSION_DENIED, unwrap } from '#lib/errors.ts'
import { paymentProviderQuery } from '#lib/payments.ts'
import { withProof } from '#lib/proof.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { siteSettingsTexts, siteSettingsToasts } from './site-settings.messages.ts'
import { type Settings, siteSettingsQuery } from './site-settings.queries.ts'

type SettingsChange = Partial<Omit<Settings, 'twoAdminsUntil' | 'updatedAt' | 'updatedBy'>>

/** Changes a setting of the site. The screen updates immediately, and reverts on failure. */
export const useChangeSettings = () =>
  useChange({
    run: async (change: SettingsChange) => {
      const {
        reviewNewPlans,
        signUps,
        takesReports,
        askAge,
        adjustmentCeiling,
        requireSecondFactor,
        feeRate,
      } = change
      const { admitOnDebit, paymentSupply, ruleAnyone, rulePeopleYouKnow, ruleHousehold, ruleUnknown } =
        change
      const row = {
        ...(reviewNewPlans !== undefined && { review_new_plans: reviewNewPlans }),
        ...(signUps !== undefined && { sign_ups: signUps }),
        ...(takesReports !== undefined && { takes_reports: takesReports }),
        ...(askAge !== undefined && { ask_age: askAge }),
        ...(adjustmentCeiling !== undefined && { adjustment_ceiling: adjustmentCeiling }),
        ...(requireSecondFactor !== undefined && { require_second_factor: requireSecondFactor }),
        ...(feeRate !== undefined && { fee_rate: feeRate }),
        ...(admitOnDebit !== undefined && { admit_on_debit: admitOnDebit }),
        ...(paymentSupply !== undefined && { payment_supply: paymentSupply }),
        ...(ruleAnyone !== undefined && { rule_anyone: ruleAnyone }),
        ...(rulePeopleYouKnow !== undefined && { rule_people_you_know: rulePeopleYouKnow }),
        ...(ruleHousehold !== undefined && { rule_household: ruleHousehold }),
        ...(ruleUnknown !== undefined && { rule_unknown: ruleUnknown }),
      }
      const changed = unwrap(await supabase().from('app_settings').update(row).eq('id', true).select('id'))
      if (changed.length === 0) throw new AppError(PERMISSION_DENIED, siteSettingsTexts.notAllowed)
    },
    stale: [
      siteSettingsQuery.queryKey,
      signUpsQuery.queryKey,
      feeRateQuery.queryKey,
      paymentProviderQuery.queryKey,
      restrictedProvidersQuery.queryKey,
    ],
    show: (change, cache) =>
      showAtOnce<Settings>(cache, siteSettingsQuery.queryKey, (shown) => ({ ...shown, ...change })),
    done: (_done, { takesReports }) => {
      if (takesReports !== undefined) setConfig({ ...config(), takesReports })
      siteSettingsToasts.saved()
    },
    failed: siteSettingsToasts.failed,
  })

/** Changes who runs the site. The footer and the terms of this tab name them at once. */
export const useChangeOperator = () =>
  useChange({
    run: async ({ vatNumber, ...same }: Operator) => {
      const row = { ...same, vat_number: vatNumber }
      const changed = unwrap(await supabase().from('operator').update(row).eq('id', true).select('id'))
      if (changed.length === 0) throw new AppError(PERMISSION_DENIED, siteSettingsTexts.notAllowed)
    },
    fresh: [operatorQuery.queryKey],
    stale: [paymentProviderQuery.queryKey, ['tax-reports']],
    done: (_done, { name }) => {
      if (name) setConfig({ ...config(), operatorName: name })
      siteSettingsToasts.saved()
    },
    failed: siteSettingsToasts.failed,
  })

/** Turns the two-admin rule for withdrawals on or off. Needs a proof of identity to turn off. */
export const useSetTwoAdmins = () =>
  useChange({
    run: (on: boolean) => withProof(() => rpc('set_two_admins', { p_on: on })),
    fresh: [siteSettingsQuery.queryKey, takesTwoAdminsQuery.queryKey],
    done: siteSettingsToasts.saved,
    failed: siteSettingsToasts.failed,
  })
