import { t } from '@lingui/core/macro'
import type { TableRow } from '#lib/camel.ts'
import { useChange } from '#lib/change.ts'
import { AppError, PERMISSION_DENIED, unwrap } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { read, supabase } from '#lib/supabase.ts'
import { siteSettingsTexts, siteSettingsToasts } from './site-settings.messages.ts'

/** Whether the site reports owners' earnings to a tax office (DAC7), and what the report says of the operator. */
export type TaxSettings = Omit<TableRow<'tax_settings'>, 'id'>

export const taxSettingsQuery = query({
  key: ['tax-settings'],
  staleTime: 0,
  load: async (signal): Promise<TaxSettings> => {
    const wanted = read('tax_settings').select(
      'isOn:is_on, firstYear:first_year, activity, country, nexus, taxNumber:tax_number, platform, reportsFee:reports_fee',
    )
    return unwrap(await wanted.abortSignal(signal).single())
  },
})

export const useChangeTax = () =>
  useChange({
    run: async (settings: TaxSettings) => {
      const { isOn, firstYear, activity, country, nexus, taxNumber, platform, reportsFee } = settings
      const row = {
        ...{ is_on: isOn, first_year: firstYear, activity, country, nexus, platform },
        ...{ tax_number: taxNumber, reports_fee: reportsFee },
      }
      const changed = unwrap(await supabase().from('tax_settings').update(row).eq('id', true).select('id'))
      if (changed.length === 0) throw new AppError(PERMISSION_DENIED, siteSettingsTexts.notAllowed)
    },
    fresh: [taxSettingsQuery.queryKey, ['tax-details'], ['tax-reports']],
    done: siteSettingsToasts.saved,
    failed: siteSettingsToasts.failed,
  })

type Choice<Value> = readonly { value: NonNullable<Value>; label: string }[]

export const ACTIVITIES: Choice<TaxSettings['activity']> = [
  { value: 'personal-services', label: t`Personal services` },
  { value: 'sale-of-goods', label: t`Sale of goods` },
]

export const NEXUS: Choice<TaxSettings['nexus']> = [
  { value: 'RPONEX1', label: t`You are resident there for tax` },
  { value: 'RPONEX2', label: t`You are incorporated there` },
  { value: 'RPONEX3', label: t`You are managed from there` },
  { value: 'RPONEX4', label: t`You have a permanent establishment there` },
  { value: 'RPONEX5', label: t`None of these, but owners there use the site` },
]
