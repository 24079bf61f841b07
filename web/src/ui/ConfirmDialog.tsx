import { t } from '@lingui/core/macro'
import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from './Dialog.tsx'

interface ConfirmDialogProps {
  opened: boolean
  title: string
  children: ReactNode
  confirmLabel: string
  cancelLabel?: string
  /** Colours the confirming button; "beet" for actions that cannot be undone. */
  color?: 'clay' | 'beet' | 'herb'
  busy?: boolean
  /** True while confirming is not possible yet. */
  disabled?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks before an action. Cannot be closed while the action runs. */
export function ConfirmDialog({
  opened,
  title,
  children,
  confirmLabel,
  cancelLabel = t`Keep it`,
  color = 'beet',
  busy = false,
  disabled = false,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const close = () => {
    if (!busy) onClose()
  }
  return (
    <Dialog opened={opened} onClose={close} title={title}>
      <Text component="div" c="dimmed">
        {children}
      </Text>
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={close} disabled={busy} data-autofocus>
          {cancelLabel}
        </Button>
        <Button color={color} onClick={onConfirm} loading={busy} disabled={disabled}>
          {confirmLabel}
        </Button>
      </Group>
    </Dialog>
  )
}
