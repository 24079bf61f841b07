import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { fullDate } from '#domain/dates.ts'
import { CopyField } from '#ui/CopyField.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { MoreRows } from '#ui/LoadMore.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { type Secret, useOpening } from './use-opening.ts'
import { openingsQuery, versionsQuery } from './vault.queries.ts'

interface Of {
  planId: string
  isOwner: boolean
}

/** Each version with its time and author, and each opening: the owner sees everybody's, a member their own. */
export function VaultHistory({ opened, onClose, ...of }: Of & { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Versions and openings">
      <Stack gap="lg">
        <Versions {...of} />
        <Openings {...of} />
      </Stack>
    </Dialog>
  )
}

function Versions({ planId, isOwner }: Of) {
  const versions = useQuery(versionsQuery(planId))
  const { secret, secondsLeft, working, open, hide } = useOpening(planId)
  const newest = versions.data?.[0]?.version
  return (
    <Stack component="section" gap="xs" aria-labelledby="versions-title">
      <Title order={3} size="h4" id="versions-title">
        Versions
      </Title>
      <Loaded of={versions} rows={2} failed="The versions could not be loaded">
        {(all) =>
          all.map(({ version, createdAt, authorName }) => (
            <div key={version}>
              <Group justify="space-between" wrap="nowrap" mih={44}>
                <Text>
                  <Text span fw={600}>
                    Version {version}
                  </Text>{' '}
                  {fullDate(createdAt)} by <bdi>{authorName}</bdi>
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
          ))
        }
      </Loaded>
    </Stack>
  )
}

const FAILED = 'The openings could not be loaded'

function Openings({ planId, isOwner }: Of) {
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
      <Loaded of={list} rows={2} failed={FAILED} empty={<Text c="dimmed">Nobody has opened it yet.</Text>}>
        {(openings) => (
          <>
            {openings.map(({ id, version, openedAt, openedBy, openerName }) => (
              <Text key={id}>
                <Text span fw={600}>
                  <PersonLink userId={openedBy} name={openerName ?? 'Deleted account'} />
                </Text>{' '}
                {fullDate(openedAt)}, version {version}
              </Text>
            ))}
            <MoreRows list={list} failed={FAILED}>
              Earlier openings
            </MoreRows>
          </>
        )}
      </Loaded>
    </Stack>
  )
}

/** An opened secret, ready to copy while it is shown. */
export function OpenedSecret({ secret, secondsLeft }: { secret: Secret; secondsLeft: number }) {
  const { password, link, note } = secret
  return (
    <Stack gap="xs" style={{ whiteSpace: 'pre-wrap' }}>
      {password && <CopyField label="Password" value={password} />}
      {link && (
        <div>
          <CopyField label="Link" value={link} />
          <Anchor href={link} target="_blank" rel="noopener noreferrer" mih={44} display="inline-flex">
            Open {new URL(link).host}
          </Anchor>
        </div>
      )}
      {note && <CopyField label="Note" value={note} />}
      <Text size="sm" c="dimmed" role="timer">
        Hides in {secondsLeft} s
      </Text>
    </Stack>
  )
}
