import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '#ui/Loaded.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { useSetBlocked } from './blocks.mutations.ts'
import { type BlockedPerson, blockedQuery } from './blocks.queries.ts'

/** The people the signed-in person has blocked, each with a button to unblock them. */
export function BlockedCard() {
  return (
    <Loaded of={useQuery(blockedQuery)} pending={null} failed={t`Blocked people could not be loaded`}>
      {(blocked) => (
        <SectionCard titleId="blocked-title" title={t`Blocked people`}>
          {blocked.length === 0 && <Text c="dimmed">{t`You have blocked nobody.`}</Text>}
          {blocked.map((person) => (
            <BlockedRow key={person.userId} person={person} />
          ))}
        </SectionCard>
      )}
    </Loaded>
  )
}

function BlockedRow({ person }: { person: BlockedPerson }) {
  const { name, blockedAt } = person
  const change = useSetBlocked(person)
  return (
    <Group wrap="nowrap" gap="sm">
      <PersonAvatar name={name} size={44} />
      <Stack gap={0} flex={1} miw={0}>
        <Text fw={600} truncate>
          <bdi>{name}</bdi>
        </Text>
        <Text size="sm" c="dimmed">
          <Trans>
            Blocked <RelativeDate date={blockedAt} />
          </Trans>
        </Text>
      </Stack>
      <Button
        variant="default"
        loading={change.isPending}
        onClick={() => change.mutate(false)}
        aria-label={t`Unblock ${name}`}
      >
        {t`Unblock`}
      </Button>
    </Group>
  )
}
