import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Button, Divider, Group, Stack, Text, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { IconFingerprint, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { authSettingsQuery } from '#lib/auth-settings.ts'
import { deviceInWords } from '#lib/device.ts'
import { knowsPasskeys } from '#lib/passkeys.ts'
import { ActionForm } from '#ui/ActionForm.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { useFocusReturn } from '#ui/use-focus-return.ts'
import { type Passkey, passkeysQuery, useAddPasskey, useRemovePasskey, useRenamePasskey } from './passkeys.ts'

/** The person's passkeys. Renders nothing if the site has passkeys disabled. */
export function PasskeysCard() {
  const { data: settings } = useQuery(authSettingsQuery)
  return settings?.passkeys_enabled ? <Passkeys /> : null
}

function Passkeys() {
  const passkeys = useQuery(passkeysQuery)
  const [naming, setNaming] = useState<Passkey | null>(null)
  const [removing, setRemoving] = useState<Passkey | null>(null)
  const add = useAddPasskey((made) => setNaming({ ...made, friendly_name: suggestedName(made) }))
  const remove = useRemovePasskey(() => setRemoving(null))
  return (
    <SectionCard
      titleId="passkeys-title"
      title={t`Passkeys`}
      gap="xs"
      aside={
        knowsPasskeys() && (
          <Button
            variant="default"
            leftSection={<IconFingerprint size={18} />}
            loading={add.isPending}
            onClick={() => add.mutate()}
          >
            {t`Add a passkey`}
          </Button>
        )
      }
    >
      <Text c="dimmed">{t`Sign in with your fingerprint, face or device PIN instead of a password.`}</Text>
      <Loaded of={passkeys} rows={1} failed={t`Your passkeys could not be loaded`}>
        {(list) =>
          list.map((passkey, index) => (
            <Fragment key={passkey.id}>
              {index > 0 && <Divider />}
              <Row
                passkey={passkey}
                onRename={() => setNaming(passkey)}
                onRemove={() => setRemoving(passkey)}
              />
            </Fragment>
          ))
        }
      </Loaded>
      {!knowsPasskeys() && (
        <Text size="sm">{t`This browser doesn’t support passkeys. Try another one.`}</Text>
      )}
      {naming && <NameDialog key={naming.id} passkey={naming} onClose={() => setNaming(null)} />}
      <ConfirmDialog
        opened={removing !== null}
        title={t`Remove this passkey?`}
        confirmLabel={t`Remove passkey`}
        cancelLabel={t`Keep passkey`}
        busy={remove.isPending}
        onConfirm={() => removing && remove.mutate(removing)}
        onClose={() => setRemoving(null)}
      >
        <Trans>{removing && nameOf(removing)} will no longer sign you in.</Trans>
      </ConfirmDialog>
    </SectionCard>
  )
}

/** The auth service's name for a passkey whose maker it does not know. */
const UNNAMED = 'Passkey'

const nameOf = ({ friendly_name: name }: Passkey) => name || t`Passkey`

/** The auth service's name for the passkey's maker, or else the name of this device. */
const suggestedName = ({ friendly_name: name }: Passkey) =>
  name && name !== UNNAMED ? name : deviceInWords(window.navigator.userAgent)

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
          <Trans>
            Added <RelativeDate date={passkey.created_at} />.
          </Trans>{' '}
          {passkey.last_used_at ? (
            <Trans>
              Last used <RelativeDate date={passkey.last_used_at} />.
            </Trans>
          ) : (
            t`Not used yet.`
          )}
        </Text>
      </Stack>
      <ActionIcon onClick={onRename} aria-label={t`Rename ${name}`}>
        <IconPencil size={20} />
      </ActionIcon>
      <ActionIcon color="beet" onClick={onRemove} aria-label={t`Remove ${name}`}>
        <IconTrash size={20} />
      </ActionIcon>
    </Group>
  )
}

/** Asks for a passkey's name. A new passkey comes with a suggested name. */
function NameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  useFocusReturn()
  const [name, setName] = useState(passkey.friendly_name ?? '')
  const rename = useRenamePasskey(onClose)
  return (
    <Dialog opened onClose={onClose} title={t`Name this passkey`}>
      <ActionForm
        action={t`Save name`}
        busy={rename.isPending}
        disabled={name.trim() === ''}
        onSubmit={() => rename.mutate({ id: passkey.id, name })}
      >
        <TextInput
          label={t`Name`}
          description={t`To tell your devices apart.`}
          maxLength={LIMITS.longestFullName}
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
          data-autofocus
        />
      </ActionForm>
    </Dialog>
  )
}
