import { Textarea } from '@mantine/core'
import { LONGEST_NOTE } from '#domain/problems.ts'

interface NoteFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
}

/** A short note that goes with an answer or a report. */
export function NoteField({ label, value, onChange }: NoteFieldProps) {
  return (
    <Textarea
      label={label}
      autosize
      minRows={2}
      maxRows={8}
      maxLength={LONGEST_NOTE}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
