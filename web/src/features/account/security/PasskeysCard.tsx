import { ActionIcon, Button, Divider, Group, Stack, Text, Title } from '@mantine/core'
import { IconFingerprint, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { authSettingsQuery } from '#lib/auth-settings.ts'
import { deviceInWords } from '#lib/device.ts'
import { knowsPasskeys } from '#lib/passkeys.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { NameDialog } from './NameDialog.tsx'
import { useAddPasskey, useRemovePasskey } from './passkeys.mutations.ts'
import { type Passkey, passkeysQuery } from './passkeys.queries.ts'

/** Signing in with what unlocks the device. Shown where the site has it switched on. */
export function PasskeysCard() {
  const { data: settings } = useQuery(authSettingsQuery)
  return settings?.passkeys_enabled ? <Passkeys /> : null
}

function Passkeys() {
  const { data: passkeys, error, refetch } = useQuery(passkeysQuery)
  const [naming, setNaming] = useState<Passkey | null>(null)
  const [removing, setRemoving] = useState<Passkey | null>(null)
  const add = useAddPasskey((made) => setNaming({ ...made, friendly_name: suggestedName(made) }))
  const remove = useRemovePasskey(() => setRemoving(null))
  return (
    <SurfaceCard component="section" aria-labelledby="passkeys-title">
      <Stack gap="md">
        <Title order={2} id="passkeys-title">
          Passkeys
        </Title>
        <Text c="dimmed">
          Sign in with your finger, your face or the code of your device. There is nothing to remember, and
          nothing anybody could talk you out of.
        </Text>
        {!passkeys && !error && <RowsSkeleton rows={1} />}
        {!passkeys && error && (
          <LoadAlert
            title="Your passkeys could not be loaded"
            problem={error}
            onRetry={() => void refetch()}
          />
        )}
        {passkeys?.map((passkey, index) => (
          <Fragment key={passkey.id}>
            {index > 0 && <Divider />}
            <Row
              passkey={passkey}
              onRename={() => setNaming(passkey)}
              onRemove={() => setRemoving(passkey)}
            />
          </Fragment>
        ))}
        {knowsPasskeys() ? (
          <Group>
            <Button
              variant="default"
              leftSection={<IconFingerprint size={18} />}
              loading={add.isPending}
              onClick={() => add.mutate(undefined)}
            >
              Add a passkey
            </Button>
          </Group>
        ) : (
          <Text size="sm">This browser knows no passkeys. Open this page in another one to add one.</Text>
        )}
      </Stack>
      {naming && <NameDialog key={naming.id} passkey={naming} onClose={() => setNaming(null)} />}
      <ConfirmDialog
        opened={removing !== null}
        title="Remove this passkey?"
        confirmLabel="Remove"
        busy={remove.isPending}
        onConfirm={() => removing && remove.mutate(removing)}
        onClose={() => setRemoving(null)}
      >
        {removing && nameOf(removing)} no longer signs you in.
      </ConfirmDialog>
    </SurfaceCard>
  )
}

const nameOf = ({ friendly_name: name }: Passkey) => name || 'Passkey'

/** What the auth service makes of the maker's number, or the device where it knows none. */
const suggestedName = (passkey: Passkey) =>
  nameOf(passkey) === 'Passkey' ? deviceInWords(window.navigator.userAgent) : nameOf(passkey)

interface RowProps {
  passkey: Passkey
  onRename: () => void
  onRemove: () => void
}

function Row({ passkey, onRename, onRemove }: RowProps) {
  const name = nameOf(passkey)
  return (
    <Group component="article" aria-label={name} gap="sm" wrap="nowrap">
      <IconFingerprint size={24} aria-hidden style={{ flex: 'none' }} />
      <Stack gap={2} flex={1} miw={0}>
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          Added <RelativeDate date={passkey.created_at} />.{' '}
          {passkey.last_used_at ? (
            <>
              Last used <RelativeDate date={passkey.last_used_at} />.
            </>
          ) : (
            'Not used yet.'
          )}
        </Text>
      </Stack>
      <ActionIcon onClick={onRename} aria-label={`Rename ${name}`}>
        <IconPencil size={20} />
      </ActionIcon>
      <ActionIcon color="beet" onClick={onRemove} aria-label={`Remove ${name}`}>
        <IconTrash size={20} />
      </ActionIcon>
    </Group>
  )
}
