import { SimpleGrid } from '@mantine/core'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { LinkButton } from '#ui/links.tsx'
import type { Brand } from '#ui/SurfaceCard.tsx'
import { AvailablePlanCard } from './AvailablePlanCard.tsx'
import type { Offer } from './market.queries.ts'

interface OfferCardsProps {
  offers: readonly Offer[]
  brandOf: (provider: string) => Brand
  levelOf: (offer: Offer) => ReactNode
  /** The level of their headings. */
  order?: 2 | 3 | undefined
  /** Shown below the cards once all of them are drawn. */
  children?: ReactNode
}

/** As many as fit on a phone are drawn at once; the rest is deferred, so that the page stays responsive. */
const IN_SIGHT = 3

/** Plans as cards, each with a link to its page. */
export function OfferCards({ offers, brandOf, levelOf, order, children }: OfferCardsProps) {
  const [first] = useState(() => offers.slice(0, IN_SIGHT))
  const drawn = useDeferredValue(offers, first)
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {drawn.map((offer) => (
          <AvailablePlanCard
            key={offer.id}
            plan={offer}
            brand={brandOf(offer.provider)}
            level={levelOf(offer)}
            order={order}
            action={
              <LinkButton
                to="/plans/$planId"
                params={{ planId: offer.id }}
                variant="light"
                aria-label={`See the plan ${offer.provider} ${offer.name}, shared by ${offer.ownerName}`}
              >
                See the plan
              </LinkButton>
            }
          />
        ))}
      </SimpleGrid>
      {drawn !== first && children}
    </>
  )
}
