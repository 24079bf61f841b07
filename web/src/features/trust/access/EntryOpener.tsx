import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconEyeOff, IconLock } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { fullDate } from '#domain/dates.ts'
import { withProof } from '#lib/proof.ts'
import { callVault } from '#lib/vault.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { MoreRows } from '#ui/LoadMore.tsx'
import { useMainButton } from '#ui/leads.ts'
import { PersonLink } from '#ui/PersonLink.tsx'
import { OpenedSecret, type Secret, useOpening } from './OpenedSecret.tsx'
import { openingsQuery, vaultKeys, versionsQuery } from './vault.queries.ts'

interface EntryOpenerProps {
  planId: string
  isOwner: boolean
  /** Further buttons. */
  children: ReactNode
}

/** Opens the plan's entry in the vault, and shows the history of its openings. */
export default function EntryOpener({ planId, isOwner, children }: EntryOpenerProps) {
  const { secret, secondsLeft, working, open, hide } = useVersion(planId)
  const [looking, history] = useDisclosure()
  const main = useMainButton()
  return (
    <Stack gap="sm">
      {secret ? (
        <OpenedSecret secret={secret} secondsLeft={secondsLeft} />
      ) : (
        <Text size="sm" c="dimmed">
          {isOwner ? t`Encrypted. You see who opens it.` : t`Encrypted. The owner sees when you open it.`}
        </Text>
      )}
      <Group gap="xs">
        <Button
          variant={isOwner || secret ? 'default' : main}
          leftSection={secret ? <IconEyeOff size={20} aria-hidden /> : <IconLock size={20} aria-hidden />}
          loading={working}
          onClick={() => (secret ? hide() : void open(undefined))}
        >
          {secret ? t`Hide access` : t`Show access`}
        </Button>
        {children}
        <Button variant="subtle" onClick={history.open}>
          {isOwner ? t`Who opened it` : t`When you opened it`}
        </Button>
      </Group>
      <VaultHistory planId={planId} isOwner={isOwner} opened={looking} onClose={history.close} />
    </Stack>
  )
}

interface Of {
  planId: string
  isOwner: boolean
}

/** An entry's versions with time and author, and its openings: the owner sees all openings, a member only their own. */
function VaultHistory({ opened, onClose, ...of }: Of & { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`History`}>
      <Stack gap="lg">
        <Versions {...of} />
        <Openings {...of} />
      </Stack>
    </Dialog>
  )
}

function Versions({ planId, isOwner }: Of) {
  const versions = useQuery(versionsQuery(planId))
  const { secret, secondsLeft, working, open, hide } = useVersion(planId)
  return (
    <Stack component="section" gap="xs" aria-labelledby="versions-title">
      <Title order={3} size="h4" id="versions-title">
        {t`Versions`}
      </Title>
      <Loaded of={versions} rows={2} failed={t`The versions could not be loaded`}>
        {(all) =>
          all.map(({ version, createdAt, authorName, part }, at) => {
            const date = fullDate(createdAt)
            const on = part === 'login' ? t`Account login, ${date}` : date
            const isOpen = secret?.version === version
            return (
              <div key={version}>
                <Group justify="space-between" wrap="nowrap" mih={44}>
                  <Text>
                    <Trans>
                      <Text span fw={600}>
                        Version {version}
                      </Text>{' '}
                      {on} by <bdi>{authorName}</bdi>
                    </Trans>
                  </Text>
                  {isOwner && all.findIndex((one) => one.part === part) < at && (
                    <Button
                      variant="default"
                      size="sm"
                      disabled={working}
                      aria-label={isOpen ? t`Hide version ${version}` : t`Open version ${version}`}
                      onClick={() => (isOpen ? hide() : void open(version))}
                    >
                      {isOpen ? t`Hide` : t({ message: 'Open', context: 'button' })}
                    </Button>
                  )}
                </Group>
                {isOpen && <OpenedSecret secret={secret} secondsLeft={secondsLeft} />}
              </div>
            )
          })
        }
      </Loaded>
    </Stack>
  )
}

const FAILED = t`The openings could not be loaded`

function Openings({ planId, isOwner }: Of) {
  const list = useInfiniteQuery(openingsQuery(planId))
  return (
    <Stack component="section" gap="xs" aria-labelledby="openings-title">
      <Title order={3} size="h4" id="openings-title">
        {isOwner ? t`Who opened it` : t`When you opened it`}
      </Title>
      {!isOwner && (
        <Text size="sm" c="dimmed">
          {t`The owner sees this too.`}
        </Text>
      )}
      <Loaded
        of={list}
        rows={2}
        failed={FAILED}
        empty={<Text c="dimmed">{t`No one has opened it yet.`}</Text>}
      >
        {(openings) => (
          <>
            {openings.map(({ id, version, openedAt, openedBy, openerName }) => (
              <Text key={id}>
                <Text span fw={600}>
                  <PersonLink userId={openedBy} name={openerName ?? t`Deleted account`} />
                </Text>{' '}
                <Trans>
                  {fullDate(openedAt)}, version {version}
                </Trans>
              </Text>
            ))}
            <MoreRows list={list} failed={FAILED}>
              {t`Show earlier`}
            </MoreRows>
          </>
        )}
      </Loaded>
    </Stack>
  )
}

/** Opens a version of a plan's entry, by default the newest: either only the account login, or everything else. */
function useVersion(planId: string) {
  const cache = useQueryClient()
  return useOpening(async (version: number | undefined) => {
    const secret = await withProof(() => callVault('open-plan-entry', { plan: planId, version }))
    void cache.invalidateQueries({ queryKey: vaultKeys.ofPlan(planId) })
    return secret as Secret & { version: number }
  })
}
