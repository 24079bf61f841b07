import { Card, Group, List, Stack, Text, Title } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import type { ReactNode } from 'react'
import { categoryLabel, toCategory } from '#domain/catalogue.ts'
import { fullDay } from '#domain/dates.ts'
import { monthly } from '#domain/fees.ts'
import { formatMoney } from '#domain/money.ts'
import { counted } from '#domain/plural.ts'
import { LEVEL_NAMES } from '#domain/standing.ts'
import { CostSum } from '#features/money/payments/CostNote.tsx'
import type { OfferPage } from '#features/plans/browse/market.queries.ts'
import { PlacesAtTable } from '#features/plans/browse/PlacesAtTable.tsx'
import { PriceHistory } from '#features/plans/browse/PriceHistory.tsx'
import { SplitFigure } from '#features/plans/browse/SplitFigure.tsx'
import { RuleCard } from '#features/plans/catalogue/RuleCard.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { type Brand, SurfaceCard } from '#ui/SurfaceCard.tsx'
import classes from './OfferView.module.css'

interface OfferViewProps {
  offer: OfferPage
  brand: Brand
  /** How reliable its owner is. */
  level: ReactNode
  /** How to ask for a place. */
  ask: ReactNode
  /** The owner's reviews. */
  reviews: ReactNode
}

/** A plan for somebody who considers asking for a place: what it is, who owns it, what it costs, and what happens next. */
export function OfferView({ offer, brand, level, ask, reviews }: OfferViewProps) {
  return (
    <>
      <Group wrap="nowrap" align="flex-start" gap="md">
        {brand.logo}
        <PageTitle title={`${offer.provider} ${offer.name}`}>
          {categoryLabel(toCategory(offer.category))}, shared by {offer.ownerName}
        </PageTitle>
      </Group>
      <div className={classes.page}>
        <SurfaceCard component="section" look="provider" brand={brand} aria-label="A place in it">
          <Stack gap="md" className={classes.ask}>
            <Price offer={offer} />
            <PlacesAtTable plan={offer} />
            {ask}
          </Stack>
        </SurfaceCard>
        <Stack gap="md" miw={0}>
          <Owner offer={offer} level={level} />
          <SplitFigure offer={offer} />
          <PriceHistory offer={offer} />
          <Steps offer={offer} />
          <WhatIf offer={offer} />
          <RuleCard provider={offer.provider} plan={offer.name} />
          <Card component="section" aria-labelledby="reviews">
            <Title order={2} size="h4" id="reviews" mb="sm">
              Reviews of {offer.ownerName}
            </Title>
            {reviews}
          </Card>
        </Stack>
      </div>
    </>
  )
}

function Price({ offer }: { offer: OfferPage }) {
  return (
    <>
      <div>
        <Text component="p" fz={34} fw={700} ff="heading" lh={1.1} m={0} className={classes.sum}>
          {formatMoney(offer.monthlyCost, offer.currency)}{' '}
          <Text span size="sm" c="dimmed" ff="text">
            a month, all in
          </Text>
        </Text>
        <Text size="sm" c="dimmed">
          Alone it is {formatMoney(monthly(offer.totalPrice, offer.cycle), offer.currency)} a month.
        </Text>
      </div>
      <CostSum quote={{ ...offer.quote, settlement: offer.settlement }} ownerName={offer.ownerName} />
    </>
  )
}

function Owner({ offer, level }: { offer: OfferPage; level: ReactNode }) {
  return (
    <Card component="section" aria-label="Who shares it">
      <Group wrap="nowrap" gap="md">
        <PersonAvatar name={offer.ownerName} src={offer.ownerAvatarUrl} size={56} />
        <div className={classes.grow}>
          <Title order={2} size="h4">
            <PersonLink userId={offer.ownerId} name={offer.ownerName} />
          </Title>
          <Text size="sm" c="dimmed">
            Here since {fullDay(offer.ownerSince)}
            {offer.ownerRating !== null &&
              ` · ${offer.ownerRating.toFixed(1)} of 5 from ${counted(offer.ownerReviewers, 'person', 'people')}`}
          </Text>
        </div>
        {level}
      </Group>
    </Card>
  )
}

/** The steps from asking to the first evening. */
function Steps({ offer: { ownerName, provider, settlement, instantFrom } }: { offer: OfferPage }) {
  const site = settlement === 'potluck'
  return (
    <Card component="section" aria-labelledby="steps">
      <Title order={2} size="h4" id="steps" mb="sm">
        What happens then
      </Title>
      <List type="ordered" spacing="xs" className={classes.steps}>
        <List.Item>
          {instantFrom
            ? `You ask for a place, and it is yours at once if you ${instantFrom === 'new' ? '' : `are ${LEVEL_NAMES[instantFrom]} and `}can pay the first month. Otherwise ${ownerName} has ${LIMITS.requestLifetimeHours} hours to answer.`
            : `You ask for a place. ${ownerName} has ${LIMITS.requestLifetimeHours} hours to answer, and you pay nothing for asking.`}
        </List.Item>
        <List.Item>
          {site
            ? `${instantFrom ? 'With the place' : 'With the yes'}, your card or your coins pay the first month. Potluck holds the money.`
            : `With the yes, you pay ${ownerName} directly, by a transfer or a link that you are shown.`}
        </List.Item>
        <List.Item>
          {site
            ? `${ownerName} has ${LIMITS.accessTimeHours} hours to let you in. The month begins when you can get in, not before.`
            : `${ownerName} gives you access: an invitation, or a login that only members can open.`}
        </List.Item>
        <List.Item>{provider} is yours to use. You pay each month, and leave when you like.</List.Item>
      </List>
    </Card>
  )
}

function WhatIf({ offer: { ownerName, settlement } }: { offer: OfferPage }) {
  return (
    <Card component="section" aria-labelledby="what-if">
      <Title order={2} size="h4" id="what-if" mb="sm">
        If something goes wrong
      </Title>
      <Text>
        {settlement === 'potluck'
          ? `No access within ${LIMITS.accessTimeHours} hours, and all of your money goes back automatically. If it stops working later you say so with one press: from then on ${ownerName} earns nothing until it works. Where the two of you disagree, our staff decides.`
          : `If access does not come, or stops working, you say so with one press. The two of you see on one page who is to answer, and what ${ownerName} owes you for the time without access. You paid ${ownerName} directly, so Potluck cannot give it back for them.`}{' '}
        <LinkAnchor to="/books">See our open books</LinkAnchor>
      </Text>
    </Card>
  )
}
