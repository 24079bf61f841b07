import { t } from '@lingui/core/macro'
import type { TableRow } from '#lib/camel.ts'
import { useChange } from '#lib/change.ts'
import { AppError, PERMISSION_DENIED, unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read, supabase } from '#lib/supabase.ts'
import { siteSettingsTexts, siteSettingsToasts } from './site-settings.messages.ts'

/** How the fee is taxed. No event is sent when these settings change. */
export type VatSettings = Omit<TableRow<'vat_settings'>, 'id'>

export const vatSettingsQuery = query({
  key: ['vat-settings'],
  staleTime: 0,
  load: async (signal): Promise<VatSettings> => {
    const wanted = read('vat_settings').select('mode, sentence, prefix, since')
    return unwrap(await wanted.abortSignal(signal).single())
  },
})

export const useChangeVat = () =>
  useChange({
    run: async ({ since: _set, ...row }: VatSettings) => {
      const changed = unwrap(await supabase().from('vat_settings').update(row).eq('id', true).select('id'))
      if (changed.length === 0) throw new AppError(PERMISSION_DENIED, siteSettingsTexts.notAllowed)
    },
    fresh: [vatSettingsQuery.queryKey, ['home-country']],
    done: siteSettingsToasts.saved,
    failed: siteSettingsToasts.failed,
  })

export const VAT_MODES: readonly { value: VatSettings['mode']; label: string; meaning: string }[] = [
  { value: 'off', label: t`No invoices`, meaning: t`Members find a receipt of each payment.` },
  {
    value: 'small',
    label: t`Small business, without VAT`,
    meaning: t`Invoices have no VAT, and the sentence that your law asks for.`,
  },
  {
    value: 'home',
    label: t`VAT of your country`,
    meaning: t`For everybody in the EU: as long as you sell for less than 10,000 EUR a year to other EU countries.`,
  },
  {
    value: 'oss',
    label: t`VAT of each member’s country (OSS)`,
    meaning: t`You have registered for the One-Stop Shop.`,
  },
]
