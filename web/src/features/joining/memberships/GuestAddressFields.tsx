import { t } from '@lingui/core/macro'
import { NativeSelect, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { languages } from '#lib/language.ts'
import { languageName } from '#lib/language-choice.ts'
import type { GuestAddress } from './guests.ts'

interface GuestAddressFieldsProps {
  value: GuestAddress
  onChange: (value: GuestAddress) => void
}

/** The address of a guest and, once there is one, the language of mails to it. */
export const GuestAddressFields = ({ value, onChange }: GuestAddressFieldsProps) => (
  <>
    <TextInput
      type="email"
      label={t`Email, if they should get reminders`}
      maxLength={LIMITS.longestAddress}
      autoComplete="off"
      value={value.email}
      onChange={({ currentTarget }) => onChange({ ...value, email: currentTarget.value })}
    />
    {value.email.trim() && (
      <NativeSelect
        label={t`Language of their emails`}
        data={languages.map((code) => ({ value: code, label: languageName(code) }))}
        value={value.language}
        onChange={({ currentTarget }) => onChange({ ...value, language: currentTarget.value })}
      />
    )}
  </>
)
