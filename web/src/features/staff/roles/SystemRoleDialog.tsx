import { t } from '@lingui/core/macro'
import { Checkbox, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useState } from 'react'
import { ActionForm } from '#ui/ActionForm.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { described, roleTexts, systemRoleToasts } from './roles.messages.ts'
import { type RoleDraft, useSaveSystemRole } from './roles.mutations.ts'
import type { Permission } from './roles.queries.ts'

interface SystemRoleDialogProps {
  opened: boolean
  role: RoleDraft
  permissions: Permission[]
  onClose: () => void
}

/** The dialog to create or edit a role. Cannot be closed while saving. */
export function SystemRoleDialog({ opened, ...rest }: SystemRoleDialogProps) {
  const { role, onClose } = rest
  const save = useSaveSystemRole(onClose)
  return (
    <Dialog
      opened={opened}
      onClose={() => save.isPending || onClose()}
      title={role.id === undefined ? t`New role` : t`Edit role`}
    >
      <SystemRoleForm {...rest} save={save} />
    </Dialog>
  )
}

interface SystemRoleFormProps extends Omit<SystemRoleDialogProps, 'opened'> {
  save: ReturnType<typeof useSaveSystemRole>
}

/** A role's name, description and permissions. Of a built-in role, only the description can change. */
function SystemRoleForm({ role, permissions, onClose, save }: SystemRoleFormProps) {
  const [draft, setDraft] = useState(role)
  const [nameless, setNameless] = useState(false)
  const fixed = role.builtIn
  const submit = () => {
    const name = draft.name.trim()
    setNameless(name === '')
    if (name === '') systemRoleToasts.nameless()
    else save.mutate({ ...draft, name, description: draft.description.trim() })
  }
  return (
    <ActionForm
      action={role.id === undefined ? t`Create role` : t`Save role`}
      busy={save.isPending}
      onSubmit={submit}
      onCancel={onClose}
    >
      {fixed && <Text c="dimmed">{t`A built-in role’s name and permissions are fixed.`}</Text>}
      <TextInput
        label={t`Name`}
        withAsterisk
        maxLength={LIMITS.longestRoleName}
        readOnly={fixed}
        error={nameless && roleTexts.nameRequired}
        value={draft.name}
        onChange={({ currentTarget: { value: name } }) => setDraft({ ...draft, name })}
      />
      <Textarea
        label={t`Description`}
        maxLength={LIMITS.longestRoleDescription}
        autosize
        minRows={2}
        maxRows={6}
        value={draft.description}
        onChange={({ currentTarget: { value } }) => setDraft({ ...draft, description: value })}
      />
      <Checkbox.Group
        label={t`Permissions`}
        value={draft.permissions}
        onChange={(chosen) => setDraft({ ...draft, permissions: chosen })}
      >
        <Stack gap={4} mt="xs">
          {permissions.map(({ id, name, description }) => (
            <Checkbox
              key={id}
              value={name}
              label={<PermissionLabel name={name} description={description} />}
              disabled={fixed}
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </ActionForm>
  )
}

/** What a permission allows, above its key in the API; a click on either toggles the checkbox. */
function PermissionLabel({ name, description }: Omit<Permission, 'id'>) {
  return (
    <Text component="span" display="block" mih={44} lh={1.4}>
      {described(description)}{' '}
      <Text component="span" display="block" size="xs" c="dimmed">
        {name}
      </Text>
    </Text>
  )
}
