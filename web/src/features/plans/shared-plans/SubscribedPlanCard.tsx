import { t } from '@lingui/core/macro'
import { Alert, Group, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { slashCycle } from '#domain/catalogue.ts'
import { feeNote, memberPays, paysMonthly } from '#domain/fees.ts'
import { listOf } from '#domain/lists.ts'
import { isOwnPlan, type Plan } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import { ProviderCard } from '#features/plans/providers/ProviderCard.tsx'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { Money } from '#ui/Money.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { Fact, Facts } from './Facts.tsx'
import { OwnPlanNote } from './OwnPlanNote.tsx'
import { priceWarning } from './plans.messages.ts'

interface SubscribedPlanCardProps {
  plan: Plan
  /** The payment state of the place, in one line. */
  payment: ReactNode
}

/** A plan as its member sees it, with what they pay. */
export function SubscribedPlanCard({ plan, payment }: SubscribedPlanCardProps) {
  const warning = priceWarning(plan.memberPrice)
  return (
    <ProviderCard component="section" provider={plan.provider} aria-label={t`Your Subscribed Plan`}>
      <Group wrap="nowrap" gap="md">
        <ProviderLogo provider={plan.provider} />
        <Title order={2} flex={1} miw={0}>
          {plan.provider} {planName(plan.name)}
        </Title>
      </Group>
      {warning && (
        <Alert color="honey" mt="md" icon={<IconAlertTriangle aria-hidden />}>
          {warning}
        </Alert>
      )}
      <Facts>
        {isOwnPlan(plan) ? (
          <Fact name={t`Your share`}>
            <Money amount={memberPays(plan)} currency={plan.currency} per={slashCycle(plan.cycle)} />
            <Text size="sm" c="dimmed">
              {feeNote(plan)}
            </Text>
          </Fact>
        ) : (
          <Fact name={t`Monthly cost`}>
            <Money amount={paysMonthly(plan)} currency={plan.currency} />
            <Text size="sm" c="dimmed">
              {plan.cycle === 'yearly' ? listOf([feeNote(plan), t`paid once a year`]) : feeNote(plan)}
            </Text>
          </Fact>
        )}
        <Fact name={t`Your next payment`}>{payment}</Fact>
        {plan.nextPayment && (
          <Fact name={t`${plan.provider} renews`}>
            <RelativeDate date={plan.nextPayment} />
          </Fact>
        )}
        <Fact name={t`Total subscription price`}>
          <Money amount={plan.totalPrice} currency={plan.currency} per={slashCycle(plan.cycle)} />
        </Fact>
      </Facts>
      <OwnPlanNote plan={plan} />
    </ProviderCard>
  )
}
