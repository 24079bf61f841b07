import { t } from '@lingui/core/macro'
import { Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { similarPlansQuery } from './market.queries.ts'
import { OfferCards } from './OfferCards.tsx'

interface SimilarPlansProps {
  /** The plan to leave out. */
  planId?: string
  provider?: string | undefined
}

/** A few other plans of a provider or, without one, the newest plans. */
export function SimilarPlans({ planId = '', provider }: SimilarPlansProps) {
  const { data: offers = [] } = useQuery(similarPlansQuery(provider, planId))
  if (offers.length === 0) return null
  return (
    <Stack component="section" aria-labelledby="alike" gap="md" mt="xl">
      <Title order={2} id="alike">
        {provider ? t`More from ${provider}` : t`Plans with a place`}
      </Title>
      <OfferCards offers={offers} />
    </Stack>
  )
}
