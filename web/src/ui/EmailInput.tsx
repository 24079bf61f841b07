import { t } from '@lingui/core/macro'
import { TextInput, type TextInputProps } from '@mantine/core'

export const EmailInput = (props: TextInputProps) => (
  <TextInput label={t`Email`} type="email" name="email" autoComplete="email" inputMode="email" {...props} />
)
