import { t } from '@lingui/core/macro'
import { Alert, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { lazyPart } from '#lib/online.ts'
import { SectionCard } from '#ui/SectionCard.tsx'
import { homeCountryQuery } from './home-country.query.ts'

const CountrySelect = lazyPart(async () => (await import('./CountrySelect.tsx')).CountrySelect)

/** Asks for the signed-in person's country if invoices need it; saves on change. */
export function HomeCountry({ required = false }: { required?: boolean }) {
  const { data } = useQuery(homeCountryQuery)
  if (!data?.asked) return null
  return (
    <Suspense>
      <CountrySelect country={data.country} required={required} />
    </Suspense>
  )
}

export function HomeCountryCard() {
  const { data } = useQuery(homeCountryQuery)
  return (
    data?.asked && (
      <SectionCard titleId="country-title" title={t`Country`}>
        <HomeCountry />
      </SectionCard>
    )
  )
}

/** Asks paying members for their country if they have never been asked. */
export function HomeCountryMissing() {
  const { data } = useQuery(homeCountryQuery)
  return (
    data?.asked &&
    data.pays &&
    data.country === null && (
      <Alert color="honey" mb="lg" title={t`For your invoices`}>
        <Stack maw={420}>
          <HomeCountry />
        </Stack>
      </Alert>
    )
  )
}
