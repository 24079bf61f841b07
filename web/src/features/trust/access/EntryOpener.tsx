import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconEyeOff, IconLock } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { fullDate } from '#domain/dates.ts'
import { withProof } from '#lib/proof.ts'
import { callVault } from '#lib/vault.ts'
import { CopyField } from '#ui/CopyField.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { MoreRows } from '#ui/LoadMore.tsx'
import { useMainButton } from '#ui/leads.ts'
import { PersonLink } from '#ui/PersonLink.tsx'
import { vaultToasts } from './vault.messages.ts'
import { openingsQuery, vaultKeys, versionsQuery } from './vault.queries.ts'

interface EntryOpenerProps {
  planId: string
  isOwner: boolean
  /** Further buttons. */
  children: ReactNode
}

/** Opens the plan's entry in the vault, and shows the history of its openings. */
export default function EntryOpener({ planId, isOwner, children }: EntryOpenerProps) {
  const { secret, secondsLeft, working, open, hide } = useOpening(planId)
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
          onClick={() => (secret ? hide() : void open())}
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
  const { secret, secondsLeft, working, open, hide } = useOpening(planId)
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

/** An opened secret, ready to copy while it is shown. */
function OpenedSecret({ secret, secondsLeft }: { secret: Secret; secondsLeft: number }) {
  const { login, password, link, note } = secret
  return (
    <Stack gap="xs" style={{ whiteSpace: 'pre-wrap' }}>
      {login && <CopyField label={t`Account login`} value={login} />}
      {password && <CopyField label={t`Password`} value={password} />}
      {link && (
        <div>
          <CopyField label={t`Link`} value={link} />
          <Anchor href={link} target="_blank" rel="noopener noreferrer" mih={44} display="inline-flex">
            <Trans>Open {new URL(link).host}</Trans>
          </Anchor>
        </div>
      )}
      {note && <CopyField label={t`Note`} value={note} />}
      <Text size="sm" c="dimmed" role="timer">
        <Trans>Hidden again in {secondsLeft} s</Trans>
      </Text>
    </Stack>
  )
}

/** A decrypted version: either only the account login, or password, link and note. Empty parts are absent. */
interface Secret {
  version: number
  login?: string
  password?: string
  link?: string
  note?: string
}

/** The time a secret stays on screen, in ms. */
const SHOWN_FOR = 30_000

/**
 * Opens a version of a plan's entry, by default the newest. The secret is kept only in component state, never in a
 * cache. It is dropped after a while, on unmount, and when the person leaves the page.
 */
function useOpening(planId: string) {
  const cache = useQueryClient()
  const [shown, setShown] = useState<{ secret: Secret; until: number } | null>(null)
  const [now, setNow] = useState(0)
  const [working, setWorking] = useState(false)

  useEffect(() => {
    if (!shown) return
    const drop = () => setShown(null)
    const tick = () => {
      setNow(Date.now())
      if (Date.now() >= shown.until) drop()
    }
    const clock = setInterval(tick, 250)
    // A page restored by the back button keeps its state, so the secret must be dropped on leaving.
    window.addEventListener('pagehide', drop)
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(clock)
      window.removeEventListener('pagehide', drop)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [shown])

  const open = async (version?: number) => {
    setWorking(true)
    try {
      const secret = (await withProof(() =>
        callVault('open-plan-entry', { plan: planId, version }),
      )) as Secret
      setNow(Date.now())
      setShown({ secret, until: Date.now() + SHOWN_FOR })
      void cache.invalidateQueries({ queryKey: vaultKeys.ofPlan(planId) })
    } catch (problem) {
      vaultToasts.openFailed(problem)
    }
    setWorking(false)
  }
  return {
    secret: shown?.secret ?? null,
    secondsLeft: shown ? Math.max(0, Math.ceil((shown.until - now) / 1000)) : 0,
    working,
    open,
    hide: () => setShown(null),
  }
}
