import { NativeSelect } from '@mantine/core'
import { LEVELS, type Level } from '#domain/standing.ts'

const NOBODY = ''

const CHOICES = [
  { value: NOBODY, label: 'Nobody: I answer each request' },
  { value: 'new', label: 'Everybody who can pay' },
  { value: 'proven', label: 'From Proven on' },
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
      label="Let in at once"
      description="Whoever has this standing and a payment method that works is in as soon as they ask, and charged right then. You answer everybody else."
      data={CHOICES}
      value={from ?? NOBODY}
      disabled={disabled}
      onChange={({ currentTarget }) =>
        onChange(LEVELS.find((level) => level === currentTarget.value) ?? null)
      }
    />
  )
}
