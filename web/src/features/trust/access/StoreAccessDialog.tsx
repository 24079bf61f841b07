import { t } from '@lingui/core/macro'
import { Switch, Text, Textarea, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange } from '#lib/change.ts'
import { withProof } from '#lib/proof.ts'
import { callVault } from '#lib/vault.ts'
import { ActionForm } from '#ui/ActionForm.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { vaultToasts } from './vault.messages.ts'
import { toEntry, vaultKeys } from './vault.queries.ts'

/** Maximum lengths in characters. */
const LONGEST = {
  password: LIMITS.longestPassword,
  link: LIMITS.longestAccessLink,
  note: LIMITS.longestAccessNote,
} as const

interface StoreAccessDialogProps {
  planId: string
  /** The current version, whose parts are kept unless changed; 0 if there is none. */
  version: number
  opened: boolean
  onClose: () => void
}

/** Stores the access for members. Closing the dialog discards the input. */
export function StoreAccessDialog({ planId, version, opened, onClose }: StoreAccessDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={version > 0 ? t`Change access` : t`Add access`}>
      {/* Keyed by version, so that the form is cleared after saving even while the dialog fades out. */}
      <StoreAccessForm key={version} planId={planId} changes={version > 0} onDone={onClose} />
    </Dialog>
  )
}

interface StoreAccessFormProps {
  planId: string
  /** True if the plan already has access data, which this dialog changes. */
  changes: boolean
  onDone: () => void
  /** Called when the person presses the button labelled `skip`, which saves nothing. */
  onSkip?: () => void
  skip?: string
}

export function StoreAccessForm({
  planId,
  changes,
  onDone,
  onSkip = onDone,
  skip = t`Cancel`,
}: StoreAccessFormProps) {
  const [typed, setTyped] = useState({ password: '', link: '', note: '' })
  const [keep, setKeep] = useState(changes)
  const [tried, setTried] = useState(false)
  const cache = useQueryClient()
  const store = useChange({
    run: () => withProof(() => callVault('save-plan-entry', { plan: planId, ...typed, keep })),
    stale: [vaultKeys.ofPlan(planId), vaultKeys.due],
    done: (stored) => {
      cache.setQueryData(vaultKeys.entry(planId), toEntry(stored))
      vaultToasts.stored()
      onDone()
    },
    failed: vaultToasts.storeFailed,
    // The mutation cache must not keep the secret after the dialog has closed.
    gcTime: 0,
  })
  const empty = Object.values(typed).every((text) => text.trim() === '')
  const field = (name: keyof typeof typed) => ({
    value: typed[name],
    maxLength: LONGEST[name],
    autoComplete: 'off',
    spellCheck: false,
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setTyped((before) => ({ ...before, [name]: value })),
  })
  return (
    <ActionForm
      action={t`Save access`}
      busy={store.isPending}
      onSubmit={() => {
        setTried(true)
        if (!empty) store.mutate()
      }}
      cancelLabel={skip}
      onCancel={onSkip}
    >
      <Text c="dimmed">
        {t`It’s encrypted. Only members can open it, and you see who does. We tell them about every change.`}
      </Text>
      <PasswordField label={t`Password`} data-autofocus {...field('password')} />
      <TextInput
        label={t`Link`}
        description={t`An invitation or sign-in page`}
        placeholder="https://"
        inputMode="url"
        {...field('link')}
      />
      <Textarea
        label={t`Note`}
        description={t`For example, the email to sign in with, or which profile is whose`}
        rows={3}
        error={tried && empty && t`Enter a password, a link or a note`}
        {...field('note')}
      />
      {changes && (
        <Switch
          label={t`Keep the fields I leave empty`}
          description={t`Otherwise they’re deleted.`}
          checked={keep}
          onChange={({ currentTarget }) => setKeep(currentTarget.checked)}
        />
      )}
    </ActionForm>
  )
}
