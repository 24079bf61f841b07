import { NativeSelect } from '@mantine/core'
import { LEVELS, type Level } from '#domain/standing.ts'

const NOBODY = ''

const CHOICES = [
  { value: NOBODY, label: 'No one: I approve each request' },
  { value: 'new', label: 'Everyone' },
  { value: 'proven', label: 'Proven and Trusted people' },
  { value: 'trusted', label: 'Trusted people only' },
]

interface InstantChoiceProps {
  from: Level | null
  disabled?: boolean
  onChange: (from: Level | null) => void
}

/** The lowest standing that gets a place without the owner's answer. */
export function InstantChoice({ from, disabled = false, onChange }: InstantChoiceProps) {
  return (
    <NativeSelect
      label="Who can join instantly"
      description="They pay when they join. You approve everyone else."
      data={CHOICES}
      value={from ?? NOBODY}
      disabled={disabled}
      onChange={({ currentTarget }) =>
        onChange(LEVELS.find((level) => level === currentTarget.value) ?? null)
      }
    />
  )
}
