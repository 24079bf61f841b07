import { plural, t } from '@lingui/core/macro'
import { Badge, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconStarFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { perCycle } from '#domain/catalogue.ts'
import { formatMoney } from '#domain/money.ts'
import { planName } from '#domain/plan-name.ts'
import { savingOf } from '#domain/savings.ts'
import { ProviderCard } from '#features/plans/providers/ProviderCard.tsx'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { InstantBadge } from '#ui/InstantBadge.tsx'
import { LevelMark } from '#ui/LevelMark.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import { Money } from '#ui/Money.tsx'
import type { Offer } from './market.queries.ts'
import classes from './OfferCard.module.css'
import { PlacesAtTable } from './PlacesAtTable.tsx'

interface OfferCardProps {
  offer: Offer
  /** The reader's button, such as a link to the plan or a request for a place. */
  action: ReactNode
  /** True if the page is the owner's, so that the card leaves out who shares the plan. */
  isOwnerKnown?: boolean
}

/** In px: the height of nearly all cards, so that placeholders have the same height. */
export const CARD_HEIGHT = 222

/** A plan to join: what it costs a member, who shares it and how many places are left. */
export function OfferCard({ offer, action, isOwnerKnown = false }: OfferCardProps) {
  const saving = Math.max(0, savingOf(offer).saved)
  return (
    <ProviderCard provider={offer.provider} h="100%" mih={CARD_HEIGHT} p="md">
      <Stack gap="sm" h="100%">
        <Group wrap="nowrap" align="flex-start" gap="sm">
          <ProviderLogo provider={offer.provider} />
          <div className={classes.names}>
            <Text size="sm" c="dimmed" lh={1.3} aria-hidden>
              {offer.provider}
            </Text>
            <Title order={3} size="h3">
              <LinkAnchor to="/plans/$planId" params={{ planId: offer.id }} inherit c="inherit">
                <VisuallyHidden>{offer.provider} </VisuallyHidden>
                {planName(offer.name)}
              </LinkAnchor>
            </Title>
          </div>
          <InstantBadge from={offer.instantFrom} />
        </Group>
        <Group justify="space-between" align="center" gap={4}>
          <Money
            amount={offer.monthlyCost}
            currency={offer.currency}
            per={perCycle('monthly')}
            fz={28}
            fw={700}
            lh={1.1}
            ff="heading"
          />
          {saving > 0 && (
            <Badge variant="light" color="herb" size="sm" tt="none">
              {t`Save ${formatMoney(saving, offer.currency)}`}
            </Badge>
          )}
        </Group>
        <PlacesAtTable plan={offer} />
        <div className={classes.foot}>
          <div className={classes.names} hidden={isOwnerKnown}>
            <Group gap="xs" wrap="nowrap">
              <Text size="sm" truncate>
                {offer.ownerName}
              </Text>
              {offer.ownerRating !== null && (
                <Text size="sm" className={classes.rating}>
                  <IconStarFilled size={14} aria-hidden />
                  <span
                    role="img"
                    aria-label={t`${offer.ownerRating.toFixed(1)} of 5 from ${plural(offer.ownerReviewers, { one: '# person', other: '# people' })}`}
                  >
                    {offer.ownerRating.toFixed(1)}
                  </span>
                </Text>
              )}
            </Group>
            <LevelMark level={offer.ownerLevel} />
          </div>
          {action}
        </div>
      </Stack>
    </ProviderCard>
  )
}
