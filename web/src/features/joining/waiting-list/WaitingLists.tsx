import { Group, SimpleGrid, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { planName } from '#domain/plan-name.ts'
import { ProviderCard } from '#features/plans/providers/ProviderCard.tsx'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import { WaitingLine } from './WaitingLine.tsx'
import { waitingListTexts } from './waiting-list.messages.ts'
import { waitingListsQuery } from './waiting-list.queries.ts'

interface WaitingListsProps {
  userId: string
}

/** The plans whose waiting lists a person is in; renders nothing if there are none. */
export function WaitingLists({ userId }: WaitingListsProps) {
  const lists = useQuery(waitingListsQuery(userId))
  return (
    <Loaded of={lists} pending={null} failed={waitingListTexts.failed} empty={null}>
      {(places) => (
        <>
          <Title order={2}>{waitingListTexts.title}</Title>
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
            {places.map(({ subscriptionId: planId, provider, name }) => (
              <ProviderCard
                key={planId}
                component="article"
                aria-label={`${provider} ${planName(name)}`}
                provider={provider}
              >
                <Group wrap="nowrap" gap="sm" mb="md">
                  <ProviderLogo provider={provider} />
                  <Title order={3} size="h4" lineClamp={2}>
                    <LinkAnchor to="/subscription/$planId" params={{ planId }} inherit c="inherit">
                      {provider} {planName(name)}
                    </LinkAnchor>
                  </Title>
                </Group>
                <WaitingLine plan={{ id: planId, provider, name }} userId={userId} full />
              </ProviderCard>
            ))}
          </SimpleGrid>
        </>
      )}
    </Loaded>
  )
}
