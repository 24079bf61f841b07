import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Button, Group, Stack, Text, Title, Tooltip } from '@mantine/core'
import { IconCheck, IconUsers, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { type CataloguePlan, canBeShared, cycleBadge, perCycle } from '#domain/catalogue.ts'
import { planName } from '#domain/plan-name.ts'
import { ProviderCard } from '#features/plans/providers/ProviderCard.tsx'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { Money } from '#ui/Money.tsx'
import classes from './CataloguePlanCard.module.css'
import { useCatalogueText } from './catalogue-text.ts'

const FEATURES_SHOWN = 3

interface CataloguePlanCardProps {
  provider: string
  plan: CataloguePlan
  onChoose: () => void
}

/** A provider's plan to share: price, cycle, people and what it includes. */
export function CataloguePlanCard({ provider, plan, onChoose }: CataloguePlanCardProps) {
  const shareable = canBeShared(plan)
  const text = useCatalogueText()
  return (
    <ProviderCard provider={provider} h="100%">
      <Stack gap="md" h="100%">
        <Group wrap="nowrap" align="flex-start" gap="sm">
          <ProviderLogo provider={provider} />
          <div className={classes.names}>
            <Text size="sm" c="dimmed" lh={1.3}>
              {provider}
            </Text>
            <Title order={3}>{planName(plan.name)}</Title>
          </div>
        </Group>
        <div>
          <Group justify="space-between" gap="xs">
            <Money amount={plan.price} per={perCycle(plan.cycle)} fz={28} fw={700} lh={1.1} />
            <Badge variant="light" color="gray">
              {cycleBadge(plan.cycle)}
            </Badge>
          </Group>
          {plan.durationYears && (
            <Text size="sm" c="dimmed">
              <Trans>Paid for {plan.durationYears} years at once</Trans>
            </Text>
          )}
        </div>
        <Text c="dimmed" size="sm">
          {text?.(plan.description)}
        </Text>
        <Features plan={plan} />
        <Group mt="auto" gap="sm" justify="space-between">
          <Group gap={6} c="dimmed">
            <IconUsers size={18} aria-hidden />
            <Text size="sm">
              {shareable
                ? t`Up to ${plural(plan.maxMembers, { one: '# person', other: '# people' })}`
                : t`For one person`}
            </Text>
          </Group>
          <Tooltip label={t`This plan covers one person and can’t be shared`} disabled={shareable}>
            <Button onClick={onChoose} disabled={!shareable} aria-label={t`Choose ${planName(plan.name)}`}>
              {shareable ? t`Choose` : t`Not shareable`}
            </Button>
          </Tooltip>
        </Group>
      </Stack>
    </ProviderCard>
  )
}

function Features({ plan: { features, name } }: { plan: CataloguePlan }) {
  const [all, setAll] = useState(false)
  const text = useCatalogueText()
  const shown = all ? features : features.slice(0, FEATURES_SHOWN)
  const more = features.length - shown.length
  return (
    <div>
      <ul className={classes.features}>
        {shown.map((feature) => (
          <li key={feature.name} data-missing={!feature.included || undefined}>
            {feature.included ? (
              <IconCheck size={18} aria-label={t`Included:`} role="img" />
            ) : (
              <IconX size={18} aria-label={t`Not included:`} role="img" />
            )}
            <span>{text?.(feature.name)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Button
          variant="subtle"
          px={4}
          ms={-4}
          onClick={() => setAll(true)}
          aria-label={t`${plural(more, { one: '+# more feature', other: '+# more features' })} of ${planName(name)}`}
        >
          <Trans>+{more} more</Trans>
        </Button>
      )}
    </div>
  )
}
