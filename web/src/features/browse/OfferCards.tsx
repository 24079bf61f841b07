import { Button, SimpleGrid } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Brand } from '#ui/SurfaceCard.tsx'
import { AvailablePlanCard } from './AvailablePlanCard.tsx'
import type { Offer } from './market.queries.ts'

interface OfferCardsProps {
  offers: readonly Offer[]
  brandOf: (provider: string) => Brand
  levelOf: (offer: Offer) => ReactNode
  /** Of their headings. */
  order?: 2 | 3 | undefined
}

/** Plans as cards that lead to their own pages. */
export function OfferCards({ offers, brandOf, levelOf, order }: OfferCardsProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      {offers.map((offer) => (
        <AvailablePlanCard
          key={offer.id}
          plan={offer}
          brand={brandOf(offer.provider)}
          level={levelOf(offer)}
          order={order}
          action={
            <Button
              variant="light"
              aria-label={`See the plan ${offer.provider} ${offer.name}, shared by ${offer.ownerName}`}
              renderRoot={(root) => <Link {...root} to="/plans/$planId" params={{ planId: offer.id }} />}
            >
              See the plan
            </Button>
          }
        />
      ))}
    </SimpleGrid>
  )
}
