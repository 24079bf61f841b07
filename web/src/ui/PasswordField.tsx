import { PasswordInput, type PasswordInputProps } from '@mantine/core'

/** Mantine's field, with `aria-invalid`, which it does not set by itself. */
export const PasswordField = (props: PasswordInputProps) => (
  <PasswordInput aria-invalid={props.error ? true : undefined} {...props} />
)
