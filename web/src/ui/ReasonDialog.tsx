import { Text, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ActionForm } from './ActionForm.tsx'
import { Dialog } from './Dialog.tsx'
import { useFocusReturn } from './use-focus-return.ts'

interface ReasonDialogProps {
  title: string
  /** The consequences of the action. */
  children: ReactNode
  label: string
  confirmLabel: string
  /** The button's colour; by default the colour of destructive actions. */
  color?: string
  /** The longest reason, in characters. */
  most?: number
  busy: boolean
  onConfirm: (reason: string) => void
  onClose: () => void
}

/** Asks for a reason that others will read. */
export function ReasonDialog({
  title,
  children,
  label,
  confirmLabel,
  color = 'beet',
  most = 400,
  busy,
  onConfirm,
  onClose,
}: ReasonDialogProps) {
  const [reason, setReason] = useState('')
  useFocusReturn()
  return (
    <Dialog opened onClose={() => busy || onClose()} title={title}>
      <ActionForm
        action={confirmLabel}
        color={color}
        busy={busy}
        disabled={!reason.trim()}
        onSubmit={() => reason.trim() && onConfirm(reason.trim())}
        onCancel={onClose}
      >
        <Text c="dimmed" component="div">
          {children}
        </Text>
        <Textarea
          label={label}
          autosize
          minRows={3}
          maxRows={8}
          maxLength={most}
          withAsterisk
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          data-autofocus
        />
      </ActionForm>
    </Dialog>
  )
}
