import { t } from '@lingui/core/macro'
import { TextInput, type TextInputProps } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { nameOfAddress } from '#domain/text.ts'

/** An optional name field. If left empty, others see the first part of the e-mail address until `NameDialog` asks. */
export const NameInput = ({ email, ...props }: { email: string } & TextInputProps) => (
  <TextInput
    label={t`First name (optional)`}
    description={t`Shown to people you share with.`}
    descriptionProps={{ mb: 6 }}
    placeholder={nameOfAddress(email)}
    name="name"
    maxLength={LIMITS.longestDisplayName}
    autoComplete="given-name"
    {...props}
  />
)
