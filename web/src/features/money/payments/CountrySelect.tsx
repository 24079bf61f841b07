import { t } from '@lingui/core/macro'
import { Select } from '@mantine/core'
import { countryChoices } from '#domain/countries.ts'
import { useChange } from '#lib/change.ts'
import { rpc } from '#lib/supabase.ts'
import { homeCountryQuery } from './home-country.query.ts'
import { paymentToasts } from './payments.messages.ts'

const useSetCountry = () =>
  useChange({
    run: (country: string) => rpc('set_country', { p_country: country }),
    stale: [homeCountryQuery.queryKey],
    done: paymentToasts.countrySaved,
    failed: paymentToasts.failed,
  })

/** A select for the home country; saves on change. */
export function CountrySelect({ country, required }: { country: string | null; required: boolean }) {
  const change = useSetCountry()
  return (
    <Select
      label={t`The country you live in`}
      description={t`It decides whose VAT the fee includes. What you pay stays the same.`}
      data={countryChoices()}
      value={change.isPending ? change.variables : country}
      required={required}
      searchable
      allowDeselect={false}
      nothingFoundMessage={t`No country found`}
      onChange={(chosen) => chosen && change.mutate(chosen)}
    />
  )
}
