import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Plan } from '#domain/plan.ts'
import { planName } from '#domain/plan-name.ts'
import { savingOf } from '#domain/savings.ts'
import { ProviderCard } from '#features/plans/providers/ProviderCard.tsx'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Money } from '#ui/Money.tsx'
import { BeforeAfter } from './BeforeAfter.tsx'
import { BrowsePlansLink } from './BrowsePlansLink.tsx'
import classes from './SavingsComparisons.module.css'

interface SavingsComparisonsProps {
  joined: readonly Plan[]
}

/** Compares the price of each subscribed plan alone and shared. */
export function SavingsComparisons({ joined }: SavingsComparisonsProps) {
  if (joined.length === 0)
    return (
      <EmptyState title={t`Nothing to compare yet`} order={2} action={<BrowsePlansLink />}>
        {t`Join a plan to compare its price with paying alone.`}
      </EmptyState>
    )
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {joined.map((plan) => (
        <Comparison key={plan.id} plan={plan} />
      ))}
    </SimpleGrid>
  )
}

function Comparison({ plan }: { plan: Plan }) {
  const { id, provider, name, ownerName, cycle, currency } = plan
  const saving = savingOf(plan)
  return (
    <ProviderCard component="article" aria-label={`${provider} ${planName(name)}`} provider={provider} lifts>
      <Group wrap="nowrap" gap="sm" align="flex-start" mb="md">
        <ProviderLogo provider={provider} />
        <Stack gap={0} flex={1} miw={0}>
          <Title order={2} size="h4" lineClamp={2}>
            <Link className={classes.link} to="/manage-subscribed/$planId" params={{ planId: id }}>
              {provider} {planName(name)}
            </Link>
          </Title>
          <Text size="sm" c="dimmed" truncate>
            <Trans>Shared by {ownerName}</Trans>
          </Text>
        </Stack>
      </Group>
      <BeforeAfter saving={saving} currency={currency} />
      <Text mt="md">
        <Trans>
          You save <Money amount={saving.saved} currency={currency} per={t`/ month`} fw={700} c="herb" />
        </Trans>
      </Text>
      {cycle === 'yearly' && (
        <Text size="sm" c="dimmed">
          {t`Billed yearly, shown per month`}
        </Text>
      )}
    </ProviderCard>
  )
}
