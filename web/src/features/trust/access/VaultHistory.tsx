import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { fullDate } from '#domain/dates.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { MoreRows } from '#ui/LoadMore.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { OpenedSecret } from './OpenedSecret.tsx'
import { useOpening } from './use-opening.ts'
import { openingsQuery, versionsQuery } from './vault.queries.ts'

interface VaultHistoryProps {
  planId: string
  isOwner: boolean
  opened: boolean
  onClose: () => void
}

/** Each version with its time and author, and each opening: everybody's for the owner, a member's own. */
export function VaultHistory({ planId, isOwner, opened, onClose }: VaultHistoryProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Versions and openings">
      <Stack gap="lg">
        <Versions planId={planId} isOwner={isOwner} />
        <Openings planId={planId} isOwner={isOwner} />
      </Stack>
    </Dialog>
  )
}

function Versions({ planId, isOwner }: Pick<VaultHistoryProps, 'planId' | 'isOwner'>) {
  const { data: versions, error, refetch } = useQuery(versionsQuery(planId))
  const { secret, secondsLeft, working, open, hide } = useOpening(planId)
  const newest = versions?.[0]?.version
  return (
    <Stack component="section" gap="xs" aria-labelledby="versions-title">
      <Title order={3} size="h4" id="versions-title">
        Versions
      </Title>
      {!versions && !error && <RowsSkeleton rows={2} />}
      {!versions && error && (
        <LoadAlert title="The versions could not be loaded" problem={error} onRetry={() => void refetch()} />
      )}
      {versions?.map(({ version, created_at, author_name }) => (
        <div key={version}>
          <Group justify="space-between" wrap="nowrap" mih={44}>
            <Text>
              <Text span fw={600}>
                Version {version}
              </Text>{' '}
              {fullDate(created_at)} by <bdi>{author_name}</bdi>
            </Text>
            {isOwner && version !== newest && (
              <Button
                variant="default"
                size="sm"
                disabled={working}
                aria-label={`${secret?.version === version ? 'Hide' : 'Open'} version ${version}`}
                onClick={() => (secret?.version === version ? hide() : void open(version))}
              >
                {secret?.version === version ? 'Hide' : 'Open'}
              </Button>
            )}
          </Group>
          {secret?.version === version && <OpenedSecret secret={secret} secondsLeft={secondsLeft} />}
        </div>
      ))}
    </Stack>
  )
}

const FAILED = 'The openings could not be loaded'

function Openings({ planId, isOwner }: Pick<VaultHistoryProps, 'planId' | 'isOwner'>) {
  const list = useInfiniteQuery(openingsQuery(planId))
  return (
    <Stack component="section" gap="xs" aria-labelledby="openings-title">
      <Title order={3} size="h4" id="openings-title">
        {isOwner ? 'Who opened it' : 'When you opened it'}
      </Title>
      {!isOwner && (
        <Text size="sm" c="dimmed">
          The owner of the plan sees this too.
        </Text>
      )}
      {list.isPending && <RowsSkeleton rows={2} />}
      {!list.data && list.error && (
        <LoadAlert title={FAILED} problem={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.data?.length === 0 && <Text c="dimmed">Nobody has opened it yet.</Text>}
      {list.data?.map(({ id, version, opened_at, opened_by, opener_name }) => (
        <Text key={id}>
          <Text span fw={600}>
            <PersonLink userId={opened_by} name={opener_name ?? 'Deleted account'} />
          </Text>{' '}
          {fullDate(opened_at)}, version {version}
        </Text>
      ))}
      {list.data && (
        <MoreRows list={list} failed={FAILED}>
          Earlier openings
        </MoreRows>
      )}
    </Stack>
  )
}
