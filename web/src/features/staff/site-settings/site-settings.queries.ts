import { unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read } from '#lib/supabase.ts'

/** What staff has decided about the site. */
export interface Settings {
  /** Whether a new plan waits for staff before others see it. */
  reviewNewPlans: boolean
  /** The most that one adjustment of a wallet moves, in coins. */
  adjustmentCeiling: number
  /** Whether a role opens nothing without a second factor or a passkey. */
  requireSecondFactor: boolean
  /** What a plan that is shared now takes on top of a share paid through the site, such as 0.1. */
  feeRate: number
  /** ISO timestamp. */
  updatedAt: string
  /** The name of whoever changed them last; null for nobody yet, or the server. */
  updatedBy: string | null
}

export const siteSettingsQuery = query({
  key: ['site-settings'],
  // Other admins change them too, and nothing tells of it.
  staleTime: 0,
  load: async (signal): Promise<Settings> => {
    const wanted = read('app_settings').select(
      'reviewNewPlans:review_new_plans, adjustmentCeiling:adjustment_ceiling, requireSecondFactor:require_second_factor, feeRate:fee_rate, updatedAt:updated_at, editor:user_profiles(display_name)',
    )
    const { editor, ...settings } = unwrap(await wanted.abortSignal(signal).single())
    return { ...settings, updatedBy: editor && (editor.display_name ?? 'Unknown') }
  },
})
