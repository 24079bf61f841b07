import { t } from '@lingui/core/macro'
import { SimpleGrid, Skeleton, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { planName } from '#domain/plan-name.ts'
import { LinkButton } from '#ui/links.tsx'
import { useInSight } from '#ui/use-in-sight.ts'
import type { Offer } from './market.queries.ts'
import { CARD_HEIGHT, OfferCard } from './OfferCard.tsx'

interface OfferCardsProps {
  offers: readonly Offer[]
  /** Renders the reader's button for a plan; by default, a link to the plan's page. */
  actionOf?: (offer: Offer) => ReactNode
  /** True on the owner's page, where their name need not be on each card. */
  ofOne?: boolean
  /** Shown below the cards once all of them are rendered. */
  children?: ReactNode
}

/** The number of cards that fit on a phone's screen. */
const IN_SIGHT = 3

const COLUMNS = { base: 1, sm: 2, lg: 3 }

/** Plans as cards, each with the reader's button. */
export function OfferCards({ offers, actionOf = linkTo, ofOne = false, children }: OfferCardsProps) {
  const drawn = useInSight(offers, IN_SIGHT)
  const missing = offers.length - drawn.length
  return (
    <>
      <SimpleGrid cols={COLUMNS}>
        {drawn.map((offer) => (
          <OfferCard key={offer.id} offer={offer} action={actionOf(offer)} isOwnerKnown={ofOne} />
        ))}
        <Placeholders cards={missing} />
      </SimpleGrid>
      {missing <= 0 && children}
    </>
  )
}

/**
 * The placeholder for a page of plans. It is as high as most loaded pages, so that nothing moves when the plans appear.
 */
export const OfferCardsSkeleton = ({ cards }: { cards: number }) => (
  <SimpleGrid cols={COLUMNS} aria-busy="true">
    <VisuallyHidden role="status">{t`Loading`}</VisuallyHidden>
    <Placeholders cards={cards} />
  </SimpleGrid>
)

const Placeholders = ({ cards }: { cards: number }) =>
  Array.from({ length: cards }, (_, place) => place + 1).map((place) => (
    <Skeleton key={place} radius="lg" mih={CARD_HEIGHT} aria-hidden />
  ))

/** A link to a plan's page; with `asks`, to its form to request a place. */
export function OfferLink({ offer, asks = false }: { offer: Offer; asks?: boolean }) {
  const title = t`${offer.provider} ${planName(offer.name)} of ${offer.ownerName}`
  return (
    <LinkButton
      to="/plans/$planId"
      params={{ planId: offer.id }}
      search={asks ? { ask: true } : {}}
      variant="default"
      data-for-visitors={asks || undefined}
      aria-label={
        asks
          ? t`Request to join ${title}`
          : t`See the plan ${offer.provider} ${planName(offer.name)}, shared by ${offer.ownerName}`
      }
    >
      {asks ? t`Request to join` : t`See the plan`}
    </LinkButton>
  )
}

const linkTo = (offer: Offer) => <OfferLink offer={offer} />
