import { NativeSelect } from '@mantine/core'
import { LEVELS, type Level } from '#domain/standing.ts'

const NOBODY = ''

const CHOICES = [
  { value: NOBODY, label: 'Nobody: I answer each request' },
  { value: 'new', label: 'Everyone who can pay' },
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
      label="Who gets in instantly"
      description="They need a payment method that works, and pay as soon as they ask. You answer everyone else."
      data={CHOICES}
      value={from ?? NOBODY}
      disabled={disabled}
      onChange={({ currentTarget }) =>
        onChange(LEVELS.find((level) => level === currentTarget.value) ?? null)
      }
    />
  )
}
