import { t } from '@lingui/core/macro'
import { NativeSelect } from '@mantine/core'
import { LEVELS, type Level } from '#domain/standing.ts'

const NOBODY = ''

const CHOICES = [
  { value: NOBODY, label: t`No one: I approve each request` },
  { value: 'new', label: t`Everyone` },
  { value: 'proven', label: t`Proven and Trusted people` },
  { value: 'trusted', label: t`Trusted people only` },
]

interface InstantChoiceProps {
  from: Level | null
  disabled?: boolean
  onChange: (from: Level | null) => void
}

/** A select for the lowest standing that gets a place without approval. */
export function InstantChoice({ from, disabled = false, onChange }: InstantChoiceProps) {
  return (
    <NativeSelect
      label={t`Who can join instantly`}
      description={t`They pay when they join. You approve everyone else.`}
      data={CHOICES}
      value={from ?? NOBODY}
      disabled={disabled}
      onChange={({ currentTarget }) =>
        onChange(LEVELS.find((level) => level === currentTarget.value) ?? null)
      }
    />
  )
}
