import { t } from '@lingui/core/macro'
import { TextInput, type TextInputProps } from '@mantine/core'

/** A field for an e-mail address. */
export const EmailInput = (props: TextInputProps) => (
  <TextInput label={t`Email`} type="email" name="email" autoComplete="email" inputMode="email" {...props} />
)
