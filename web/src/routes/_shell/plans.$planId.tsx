import { Container } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { offerQuery } from '#features/plans/browse/market.queries.ts'
import { given } from '#lib/search.ts'
import { OfferScreen } from './-offer/OfferScreen.tsx'

const searchSchema = z.object({
  /** What the reader wants from this page, which opens the dialog or form for it immediately. */
  ask: given(z.union([z.boolean(), z.literal('question')])),
})

export const Route = createFileRoute('/_shell/plans/$planId')({
  staticData: { reading: true },
  validateSearch: searchSchema,
  loader: ({ context: { queryClient: cache }, params: { planId } }) => {
    void cache.prefetchQuery(offerQuery(planId))
  },
  component: AnyOffer,
})

function AnyOffer() {
  const { planId } = Route.useParams()
  return (
    <Container py={{ base: 'sm', sm: 'lg' }}>
      <OfferScreen key={planId} planId={planId} asks={Route.useSearch().ask} />
    </Container>
  )
}
