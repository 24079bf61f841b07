import { t } from '@lingui/core/macro'
import { Button, type ButtonProps, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './ActionForm.module.css'

interface ActionFormProps extends Pick<ButtonProps, 'color' | 'disabled'> {
  /** The label of the button that submits the form. */
  action: string
  busy: boolean
  onSubmit: () => void
  cancelLabel?: string
  /** Undefined if the form has no button to cancel. */
  onCancel?: () => void
  children: ReactNode
  /** The form's name, where no dialog around it gives one. */
  label?: string
}

/** A form with one action, and a button to cancel. In a dialog both stay in sight while the form scrolls. */
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
        <Group justify="flex-end" gap="sm" className={classes.footer}>
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
