import { Anchor, Group, SimpleGrid, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { type Brand, SurfaceCard } from '#ui/SurfaceCard.tsx'
import { WaitingLine } from './WaitingLine.tsx'
import { waitingListTexts } from './waiting-list.messages.ts'
import { waitingListsQuery } from './waiting-list.queries.ts'

interface WaitingListsProps {
  userId: string
  brandOf: (provider: string) => Brand
}

/** Where a person waits; nothing for who waits nowhere. */
export function WaitingLists({ userId, brandOf }: WaitingListsProps) {
  const { data, error, refetch } = useQuery(waitingListsQuery(userId))
  if (error && !data)
    return <LoadAlert title={waitingListTexts.failed} problem={error} onRetry={() => void refetch()} />
  if (!data?.length) return null
  return (
    <>
      <Title order={2}>{waitingListTexts.title}</Title>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {data.map(({ planId, provider, name }) => (
          <SurfaceCard
            key={planId}
            component="article"
            aria-label={`${provider} ${name}`}
            look="provider"
            brand={brandOf(provider)}
          >
            <Group wrap="nowrap" gap="sm" mb="md">
              {brandOf(provider).logo}
              <Title order={3} size="h4" lineClamp={2}>
                <Anchor
                  inherit
                  c="inherit"
                  renderRoot={(root) => <Link {...root} to="/subscription/$planId" params={{ planId }} />}
                >
                  {provider} {name}
                </Anchor>
              </Title>
            </Group>
            <WaitingLine plan={{ id: planId, provider, name }} userId={userId} full />
          </SurfaceCard>
        ))}
      </SimpleGrid>
    </>
  )
}
