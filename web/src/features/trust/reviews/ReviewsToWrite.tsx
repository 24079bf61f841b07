import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { onceOnline } from '#lib/online.ts'
import { OnceOpened } from '#ui/OnceOpened.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { type ReviewToWrite, reviewsToWriteQuery } from './reviews.queries.ts'

const ReviewDialog = lazy(() => onceOnline(() => import('./ReviewDialog.tsx')))

/** Whom one may review, of one plan or of all; nothing while there is nobody. */
export function ReviewsToWrite({ planId }: { planId?: string }) {
  const { data = [] } = useQuery(reviewsToWriteQuery)
  const wanted =
    planId === undefined ? data : data.filter(({ subscription_id }) => subscription_id === planId)
  if (wanted.length === 0) return null
  return (
    <SurfaceCard component="section" aria-labelledby="to-review-title">
      <Stack gap="md">
        <Title order={2} size="h3" id="to-review-title">
          How was it?
        </Title>
        {wanted.map((one) => (
          <Wanted key={one.seat_id} wanted={one} />
        ))}
      </Stack>
    </SurfaceCard>
  )
}

function Wanted({ wanted }: { wanted: ReviewToWrite }) {
  const [writing, { open, close }] = useDisclosure()
  const { person_name: name, avatar_url, plan, they_wrote } = wanted
  return (
    <Group gap="sm" wrap="nowrap">
      <PersonAvatar name={name} src={avatar_url} size={44} />
      <Stack gap={0} flex={1} miw={0}>
        <Text fw={600} truncate>
          <PersonLink userId={wanted.person_id} name={name} />
        </Text>
        <Text size="sm" c="dimmed">
          {they_wrote ? `${plan}. Their review of you waits for yours.` : plan}
        </Text>
      </Stack>
      <Button variant="light" onClick={open} aria-label={`Review ${name}`}>
        Review
      </Button>
      <OnceOpened opened={writing}>
        {(opened) => <ReviewDialog wanted={wanted} opened={opened} onClose={close} />}
      </OnceOpened>
    </Group>
  )
}
