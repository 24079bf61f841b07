import { Textarea } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'

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
      maxLength={LIMITS.longestNote}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
