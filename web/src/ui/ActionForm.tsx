import { t } from '@lingui/core/macro'
import { Button, type ButtonProps, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

interface ActionFormProps extends Pick<ButtonProps, 'color' | 'disabled'> {
  /** On the button that submits it. */
  action: string
  busy: boolean
  onSubmit: () => void
  cancelLabel?: string
  /** Without it there is no way out here. */
  onCancel?: () => void
  children: ReactNode
  /** Names the form where no dialog around it does. */
  label?: string
}

/** A form that ends in one action, and a way out of it. */
export function ActionForm(props: ActionFormProps) {
  const { action, busy, onSubmit, cancelLabel = t`Cancel`, onCancel, label, children, ...button } = props
  return (
    <form
      noValidate
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <Stack gap="md">
        {children}
        <Group justify="flex-end" gap="sm">
          {onCancel && (
            <Button variant="default" onClick={onCancel} disabled={busy}>
              {cancelLabel}
            </Button>
          )}
          <Button type="submit" loading={busy} {...button}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
