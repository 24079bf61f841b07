import { Button, SimpleGrid } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useDeferredValue } from 'react'
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

/** As many as a phone shows: they come at once, the others in slices that keep nobody waiting. */
const IN_SIGHT = 3

/** Plans as cards that lead to their own pages. */
export function OfferCards({ offers, brandOf, levelOf, order }: OfferCardsProps) {
  const drawn = useDeferredValue(offers, offers.slice(0, IN_SIGHT))
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      {drawn.map((offer) => (
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
