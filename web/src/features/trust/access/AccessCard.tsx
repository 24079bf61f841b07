import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle, IconClockPause, IconKey } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { fullDay } from '#domain/dates.ts'
import { catalogueQuery } from '#features/plans/catalogue/catalogue.queries.ts'
import { lazyPart, onceOnline } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { AccountLoginForm } from './AccountLoginForm.tsx'
import { LOGIN_FAILED } from './vault.messages.ts'
import { accountLoginQuery, type VaultEntry, vaultEntryQuery } from './vault.queries.ts'

const EntryOpener = lazy(() => onceOnline(() => import('./EntryOpener.tsx')))
const StoreAccessDialog = lazyPart(async () => (await import('./StoreAccessDialog.tsx')).StoreAccessDialog)

export interface AccessCardProps {
  planId: string
  isOwner: boolean
  /** The provider's name, for a member. */
  provider?: string
  /** True while the member's place is not paid. */
  closed?: boolean
  /** The address to which the owner has sent the provider's invitation for this member, if they have. */
  invited?: string | null
}

/** A plan's access: its account login, set by the owner, and the entry in the vault. */
export default function AccessCard({
  planId,
  isOwner,
  provider = '',
  closed = false,
  invited = null,
}: AccessCardProps) {
  const { data: entry } = useQuery(vaultEntryQuery(planId))
  const [storing, { open, close }] = useDisclosure()
  const store = isOwner && (
    <Button variant="default" onClick={open}>
      {entry ? t`Change access` : t`Add access`}
    </Button>
  )
  return (
    <SectionCard
      titleId="access-title"
      title={t`Access`}
      aside={entry && <LastChange entry={entry} isOwner={isOwner} />}
    >
      {entry?.changeDueSince && (
        <ChangeDue since={entry.changeDueSince} onChange={isOwner ? open : undefined} />
      )}
      {isOwner ? (
        <AccountLoginForm planId={planId} />
      ) : (
        <AccountLogin planId={planId} hasEntry={Boolean(entry) || invited !== null} />
      )}
      {entry && (
        // Keyed by version, so that a new version hides an opened secret.
        <Suspense fallback={<RowsSkeleton rows={1} />}>
          <EntryOpener key={entry.version} planId={planId} isOwner={isOwner}>
            {store}
          </EntryOpener>
        </Suspense>
      )}
      {!isOwner && !entry && invited === null && <Missing provider={provider} closed={closed} />}
      {!isOwner && invited !== null && (
        <Text style={{ overflowWrap: 'anywhere' }}>{t`Your invitation went to ${invited}.`}</Text>
      )}
      {isOwner && entry === null && (
        <>
          <Text size="sm" c="dimmed">
            {t`Add the password, an invitation link or a note for your members. It’s encrypted.`}
          </Text>
          <Group>{store}</Group>
        </>
      )}
      {isOwner && (
        <LazyDialog opened={storing}>
          {(opened) => (
            <StoreAccessDialog
              planId={planId}
              version={entry?.version ?? 0}
              opened={opened}
              onClose={close}
            />
          )}
        </LazyDialog>
      )}
    </SectionCard>
  )
}

/** The date of the last change. Members see that the entry is new until they open it. */
function LastChange({ entry, isOwner }: { entry: VaultEntry; isOwner: boolean }) {
  const { version, changedAt, opened } = entry
  const changed = t`Changed on ${fullDay(changedAt)}`
  if (isOwner)
    return (
      <Text size="sm" c="dimmed">
        <Trans>
          Version {version}. {changed}.
        </Trans>
      </Text>
    )
  if (opened) return null
  return (
    <Badge color="honey" variant="light" tt="none">
      {changed}
    </Badge>
  )
}

function ChangeDue({ since, onChange }: { since: string; onChange?: (() => void) | undefined }) {
  if (!onChange)
    return (
      <Group gap={6} c="dimmed" wrap="nowrap" align="flex-start">
        <IconClockPause size={18} style={{ flex: 'none', marginTop: 2 }} aria-hidden />
        <Text size="sm">{t`A member has left, so the owner is changing the password.`}</Text>
      </Group>
    )
  return (
    <Alert color="honey" title={t`Change the password`} icon={<IconAlertTriangle aria-hidden />}>
      <Text size="sm" mb="sm">
        <Trans>
          Someone who knew it left on {fullDay(since)}. Change it at the provider, then save it here.
        </Trans>
      </Text>
      <Button size="sm" onClick={onChange}>
        {t`Save new password`}
      </Button>
    </Alert>
  )
}

/** Says whom to ask for access, and for what: with some providers nobody shares a password. */
function Missing({ provider, closed }: { provider: string; closed: boolean }) {
  const { data: providers, isPending } = useQuery(catalogueQuery)
  const how = providers?.find(({ name }) => name === provider)?.sharing?.how
  if (isPending) return null
  return (
    <Group gap={6} c="dimmed" wrap="nowrap">
      <IconKey size={18} style={{ flex: 'none' }} aria-hidden />
      <Text size="sm">
        {closed
          ? t`You’ll see how to get in once you’ve paid.`
          : how === 'login'
            ? t`Contact the plan owner for the password.`
            : how
              ? t`Contact the plan owner for an invitation.`
              : t`Contact the plan owner for the password or an invitation.`}
      </Text>
    </Group>
  )
}

/** The name members sign in with at the provider; renders nothing if members get in another way. */
function AccountLogin({ planId, hasEntry }: { planId: string; hasEntry: boolean }) {
  const { data: login, isError } = useQuery(accountLoginQuery(planId))
  if (login === null && hasEntry) return null
  return (
    <Stack gap={4}>
      <Text size="sm" c="dimmed">
        {t`Account email / username`}
      </Text>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {isError ? LOGIN_FAILED : login === undefined ? '…' : (login ?? t`Not shared yet`)}
      </Text>
    </Stack>
  )
}
