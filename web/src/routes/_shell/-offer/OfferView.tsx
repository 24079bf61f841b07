import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Box, Card, Group, List, Stack, Text, Title } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import type { ReactNode } from 'react'
import { categoryLabel, slashCycle, toCategory } from '#domain/catalogue.ts'
import { fullDay } from '#domain/dates.ts'
import { monthly } from '#domain/fees.ts'
import { formatMoney } from '#domain/money.ts'
import { isOwnPlan } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import { LEVEL_NAMES } from '#domain/standing.ts'
import { SellerNote } from '#features/account/sellers/SellerNote.tsx'
import { CostSum } from '#features/money/payments/CostSum.tsx'
import type { OfferPage } from '#features/plans/browse/market.queries.ts'
import { PlacesAtTable } from '#features/plans/browse/PlacesAtTable.tsx'
import { PriceHistory } from '#features/plans/browse/PriceHistory.tsx'
import { SplitFigure } from '#features/plans/browse/SplitFigure.tsx'
import { RuleCard } from '#features/plans/catalogue/RuleCard.tsx'
import { ProviderCard } from '#features/plans/providers/ProviderCard.tsx'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { Sections } from '#ui/Sections.tsx'
import classes from './OfferView.module.css'

interface OfferViewProps {
  offer: OfferPage
  /** A mark of how reliable the plan's owner is. */
  level: ReactNode
  /** The form or buttons to request a place. */
  ask: ReactNode
  reviews: ReactNode
}

/** A plan as shown to people who may ask for a place: its service, owner and cost, and the next steps. */
export function OfferView({ offer, level, ask, reviews }: OfferViewProps) {
  return (
    <>
      <Group wrap="nowrap" align="flex-start" gap="md">
        <ProviderLogo provider={offer.provider} />
        <PageTitle title={`${offer.provider} ${planName(offer.name)}`}>
          <Trans>
            {categoryLabel(toCategory(offer.category))}, shared by {offer.ownerName}
          </Trans>
        </PageTitle>
      </Group>
      <div className={classes.page}>
        <ProviderCard component="section" provider={offer.provider} aria-label={t`Price and places`}>
          <Stack gap="md" className={classes.ask}>
            <Price offer={offer} />
            <PlacesAtTable plan={offer} />
            {ask}
          </Stack>
        </ProviderCard>
        <Sections plain>
          <Owner offer={offer} level={level} />
          {isOwnPlan(offer) ? (
            <Steps offer={offer} />
          ) : (
            <>
              <SplitFigure offer={offer} />
              <PriceHistory offer={offer} />
              <Steps offer={offer} />
              <WhatIf offer={offer} />
              <RuleCard provider={offer.provider} plan={offer.name} />
              <Card component="section" aria-labelledby="reviews">
                <Title order={2} size="h4" id="reviews" mb="sm">
                  <Trans>Reviews of {offer.ownerName}</Trans>
                </Title>
                {reviews}
              </Card>
            </>
          )}
        </Sections>
      </div>
    </>
  )
}

function Price({ offer }: { offer: OfferPage }) {
  return (
    <>
      <div>
        <Text component="p" fz={34} fw={700} ff="heading" lh={1.1} m={0} className={classes.sum}>
          {formatMoney(isOwnPlan(offer) ? offer.memberPrice : offer.monthlyCost, offer.currency)}{' '}
          <Text span size="sm" c="dimmed" ff="text">
            {isOwnPlan(offer) ? slashCycle(offer.cycle) : t`a month, all in`}
          </Text>
        </Text>
        <Text size="sm" c="dimmed">
          {isOwnPlan(offer) ? (
            <Trans>
              Of {formatMoney(offer.totalPrice, offer.currency)} {slashCycle(offer.cycle)} for everybody.
            </Trans>
          ) : (
            <Trans>
              {formatMoney(monthly(offer.totalPrice, offer.cycle), offer.currency)} a month on your own.
            </Trans>
          )}
        </Text>
      </div>
      <CostSum
        quote={{ ...offer.quote, settlement: offer.settlement, currency: offer.currency }}
        ownerName={offer.ownerName}
      />
    </>
  )
}

function Owner({ offer, level }: { offer: OfferPage; level: ReactNode }) {
  return (
    <Card component="section" aria-label={t`Who shares it`}>
      <Group gap="md">
        <PersonAvatar name={offer.ownerName} src={offer.ownerAvatarUrl} size={56} />
        <div className={classes.grow}>
          <Title order={2} size="h4">
            <PersonLink userId={offer.ownerId} name={offer.ownerName} />
          </Title>
          <Text size="sm" c="dimmed">
            {t`Here since ${{ day: fullDay(offer.ownerSince) }}`}
            {offer.ownerRating !== null && ' · '}
            {offer.ownerRating !== null &&
              t`${offer.ownerRating.toFixed(1)} of 5 from ${plural(offer.ownerReviewers, { one: '# person', other: '# people' })}`}
          </Text>
        </div>
        {level}
      </Group>
      <Box mt="md">
        <SellerNote seller={offer.quote.seller} ownerName={offer.ownerName} />
      </Box>
    </Card>
  )
}

/** The steps from the request to first use. */
function Steps({ offer: { ownerName, provider, settlement, instantFrom, cycle } }: { offer: OfferPage }) {
  const site = settlement === 'potluck'
  return (
    <Card component="section" aria-labelledby="steps">
      <Title order={2} size="h4" id="steps" mb="sm">
        {t`How it works`}
      </Title>
      <List type="ordered" spacing="xs" className={classes.steps}>
        <List.Item>
          {instantFrom === 'new'
            ? t`Ask for a place. You get it instantly if you can pay the first month. Otherwise ${ownerName} has ${LIMITS.requestLifetimeHours} hours to answer.`
            : instantFrom
              ? t`Ask for a place. You get it instantly if you are ${{ level: LEVEL_NAMES[instantFrom] }} and can pay the first month. Otherwise ${ownerName} has ${LIMITS.requestLifetimeHours} hours to answer.`
              : t`Ask for a place, free of charge. ${ownerName} has ${LIMITS.requestLifetimeHours} hours to answer.`}
        </List.Item>
        <List.Item>
          {site
            ? t`Once you’re in, pay the first month by card or coins. Potluck holds the money.`
            : t`Once approved, pay ${ownerName} directly, by bank transfer or payment link.`}
        </List.Item>
        <List.Item>
          {site
            ? t`${ownerName} has ${LIMITS.accessTimeHours} hours to give you access. Your month starts when you have it.`
            : t`${ownerName} gives you access by invitation or a login that only members can open.`}
        </List.Item>
        <List.Item>
          {isOwnPlan({ cycle }) ? (
            <Trans>
              Enjoy {provider}. Everybody pays on the same days, and you can leave whenever you like.
            </Trans>
          ) : (
            <Trans>Enjoy {provider}. Pay each month and leave whenever you like.</Trans>
          )}
        </List.Item>
      </List>
    </Card>
  )
}

function WhatIf({ offer: { ownerName, settlement } }: { offer: OfferPage }) {
  return (
    <Card component="section" aria-labelledby="what-if">
      <Title order={2} size="h4" id="what-if" mb="sm">
        {t`If something goes wrong`}
      </Title>
      <Text>
        {settlement === 'potluck'
          ? t`No access within ${LIMITS.accessTimeHours} hours? You get all your money back automatically. If it stops working later, report it: ${ownerName} earns nothing until it’s fixed. If you disagree, our team decides.`
          : t`If you get no access, or it stops working, report it. We show you both what ${ownerName} owes you for the time without access. You pay ${ownerName} directly, so Potluck can’t refund you.`}{' '}
        <LinkAnchor to="/books">{t`See our open books`}</LinkAnchor>
      </Text>
    </Card>
  )
}
