import { t } from '@lingui/core/macro'
import { Divider, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { LinkButton } from '#ui/links.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { planTexts } from './plans.messages.ts'
import { ownedPlansQuery } from './plans.queries.ts'
import { SharePlan } from './SharePlan.tsx'

/** The links to the plans a person shares, for passing on to others. */
export function PlanLinksCard({ userId }: { userId: string }) {
  const plans = useQuery({
    ...ownedPlansQuery(userId),
    select: (owned) => owned.filter(({ status }) => status === 'active'),
  })
  return (
    <SectionCard
      titleId="plan-links-title"
      title={t`Links to your plans`}
      aside={
        plans.data?.length === 0 && (
          <LinkButton to="/create" variant="default">
            {t`Share a Subscription`}
          </LinkButton>
        )
      }
    >
      <Text c="dimmed">{t`In a chat, a link comes with a picture, the price and the free places. That of a private plan says nothing of it.`}</Text>
      <Loaded of={plans} rows={1} failed={planTexts.sharedFailed}>
        {(list) =>
          list.map(({ id, provider, name, isPrivate }, index) => (
            <Fragment key={id}>
              {index > 0 && <Divider />}
              <Group component="article" aria-label={`${provider} ${name}`} gap="xs" justify="space-between">
                <Group gap="xs" wrap="nowrap" miw={0}>
                  <ProviderLogo provider={provider} size="line" />
                  <Text fw={600}>
                    {provider} {name}
                    {isPrivate && (
                      <Text span c="dimmed" fw={400}>
                        {' · '}
                        {t`Private`}
                      </Text>
                    )}
                  </Text>
                </Group>
                <SharePlan planId={id} title={`${provider} ${name}`} variant="default" />
              </Group>
            </Fragment>
          ))
        }
      </Loaded>
    </SectionCard>
  )
}
