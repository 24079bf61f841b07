import { t } from '@lingui/core/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { priceEach } from '#domain/catalogue.ts'
import { fullDay } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { useMainButton } from '#ui/leads.ts'
import { SectionCard } from '#ui/SectionCard.tsx'
import { planOfferQuery, useAnswerOffer } from './handover.ts'

/** Asks a member whether they take the plan over; renders nothing without an offer. */
export function PlanOfferCard({ planId }: { planId: string }) {
  const { data: offer } = useQuery(planOfferQuery(planId))
  const answer = useAnswerOffer(planId)
  const main = useMainButton()
  if (!offer || offer.isYours) return null
  const { person, acceptedAt, at, atOnce, currency, months } = offer
  const day = fullDay(at)
  const [share, rest] = [formatMoney(offer.share, currency), formatMoney(offer.rest, currency)]
  const price = priceEach(formatMoney(offer.price, currency), months)
  const say = (what: 'now' | 'later' | 'decline') => ({
    loading: answer.isPending && answer.variables === what,
    disabled: answer.isPending && answer.variables !== what,
    onClick: () => answer.mutate(what),
  })
  return (
    <SectionCard titleId="plan-offer-title" title={t`Take the plan over?`} gap="sm">
      {acceptedAt ? (
        <Text>{t`The plan is yours on ${{ day }}. Until then you can change your mind.`}</Text>
      ) : (
        <>
          <Text>{t`${person} would like to hand the plan over to you, from ${{ day }} on.`}</Text>
          <Stack gap={4} component="ul" m={0} ps="md">
            <li>{t`You pay the provider ${price}.`}</li>
            <li>{t`Members pay you from their next payment on, and ${person} pays you ${share}.`}</li>
            <li>{t`Your part of the price is ${rest}.`}</li>
            <li>{t`What you owe ${person} until then stays due.`}</li>
            <li>{t`You add how people get in. The login of ${person} is deleted.`}</li>
          </Stack>
        </>
      )}
      <Group gap="sm">
        {!acceptedAt && (
          <Button variant={main} {...say('later')}>
            {t`Accept`}
          </Button>
        )}
        {atOnce && (
          <Button variant="default" {...say('now')}>
            {t`Take it over now`}
          </Button>
        )}
        <Button variant="default" {...say('decline')}>
          {t`Decline`}
        </Button>
      </Group>
    </SectionCard>
  )
}
