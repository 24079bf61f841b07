import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { blockTexts } from './blocks.messages.ts'
import { useSetBlocked } from './blocks.mutations.ts'
import { type BlockedPerson, blockedQuery } from './blocks.queries.ts'

/** Whom one has blocked, each to be let in again. */
export function BlockedCard() {
  const { data: blocked, error, refetch } = useQuery(blockedQuery)
  return (
    <SurfaceCard component="section" aria-labelledby="blocked-title">
      <Stack gap="md">
        <Title order={2} id="blocked-title">
          Blocked people
        </Title>
        {!blocked && error && (
          <LoadAlert title="The list could not be loaded" problem={error} onRetry={() => void refetch()} />
        )}
        {!blocked && !error && <RowsSkeleton rows={1} />}
        {blocked?.length === 0 && <Text c="dimmed">{blockTexts.none}</Text>}
        {blocked?.map((person) => (
          <BlockedRow key={person.userId} person={person} />
        ))}
      </Stack>
    </SurfaceCard>
  )
}

function BlockedRow({ person }: { person: BlockedPerson }) {
  const { name, avatarUrl, blockedAt } = person
  const change = useSetBlocked(person)
  return (
    <Group wrap="nowrap" gap="sm">
      <PersonAvatar name={name} src={avatarUrl} size={44} />
      <Stack gap={0} flex={1} miw={0}>
        <Text fw={600} truncate>
          <PersonLink userId={person.userId} name={name} />
        </Text>
        <Text size="sm" c="dimmed">
          Blocked <RelativeDate date={blockedAt} />
        </Text>
      </Stack>
      <Button
        variant="default"
        loading={change.isPending}
        onClick={() => change.mutate(false)}
        aria-label={`Unblock ${name}`}
      >
        Unblock
      </Button>
    </Group>
  )
}
