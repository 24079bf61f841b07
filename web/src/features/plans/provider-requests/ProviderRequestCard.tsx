import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Badge, Group, Stack, Text, Title } from '@mantine/core'
import { useId } from 'react'
import { perCycle } from '#domain/catalogue.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { LinkButton } from '#ui/links.tsx'
import { Money } from '#ui/Money.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import classes from './ProviderRequestCard.module.css'
import type { OfferedPlan } from './provider-request.schema.ts'
import { requestCategoryName } from './provider-request.schema.ts'
import type { ProviderRequest } from './provider-requests.queries.ts'

const STATES: Record<ProviderRequest['status'], { label: string; color: string }> = {
  pending: { label: t`Pending`, color: 'honey' },
  approved: { label: t`Approved`, color: 'herb' },
  rejected: { label: t({ message: 'Rejected', context: 'a request' }), color: 'beet' },
}

interface ProviderRequestCardProps {
  request: ProviderRequest
  /** True if its button is the page's main button. */
  isMain: boolean
}

/** A request for a provider, with its status. */
export function ProviderRequestCard({ request, isMain }: ProviderRequestCardProps) {
  const name = useId()
  const state = STATES[request.status]
  return (
    <SurfaceCard component="article" aria-labelledby={name}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
          <ProviderLogo provider={request.providerName} size="line" />
          <div className={classes.words}>
            <Title order={2} fz="h3" id={name}>
              <bdi>{request.providerName}</bdi>
            </Title>
            <Text size="sm" c="dimmed">
              <Trans>
                {requestCategoryName(request.category)} · asked <RelativeDate date={request.createdAt} />
              </Trans>
            </Text>
          </div>
          <Badge variant="light" color={state.color} tt="none" style={{ flexShrink: 0 }}>
            {state.label}
          </Badge>
        </Group>
        <Text className={classes.description} dir="auto">
          {request.description}
        </Text>
        <Anchor
          href={request.websiteUrl}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className={classes.website}
        >
          {request.websiteUrl}
        </Anchor>
        <ul className={classes.plans} aria-label={t({ message: 'Plans', context: 'what a provider sells' })}>
          {request.plans.map((plan) => (
            <PlanLine key={plan.id} plan={plan} />
          ))}
        </ul>
        {request.status === 'approved' && (
          <LinkButton
            to="/create"
            search={{ category: 'all' }}
            w="fit-content"
            variant={isMain ? 'filled' : 'default'}
          >
            {t`Share a plan`}
          </LinkButton>
        )}
      </Stack>
    </SurfaceCard>
  )
}

function PlanLine({ plan: { name, price, cycle, maxMembers, features } }: { plan: OfferedPlan }) {
  return (
    <li>
      <div className={classes.plan}>
        <Text fw={600} className={classes.words}>
          <bdi>{name}</bdi>
        </Text>
        <Text>
          <Money amount={price} per={perCycle(cycle)} /> ·{' '}
          {plural(maxMembers, { one: '# person', other: '# people' })}
        </Text>
      </div>
      {features.length > 0 && (
        <Text size="sm" c="dimmed" className={classes.words}>
          <bdi>{features.join(' · ')}</bdi>
        </Text>
      )}
    </li>
  )
}
