import { t } from '@lingui/core/macro'
import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { type FormEvent, useState } from 'react'
import { dayInWords } from '#domain/dates.ts'
import { useNow } from '#ui/use-now.ts'

interface PlaceNotesProps {
  notes: readonly { byOwner: boolean; text: string; at: string }[]
  /** True for the owner, false for the guest. */
  isOwner: boolean
  /** The name of the other side. */
  other: string
  busy: boolean
  onSend: (text: string, sent: () => void) => void
}

/** The notes between a guest and the owner, and a field to write one. */
export function PlaceNotes({ notes, isOwner, other, busy, onSend }: PlaceNotesProps) {
  const [text, setText] = useState('')
  const now = new Date(useNow())
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim()) onSend(text.trim(), () => setText(''))
  }
  return (
    <Stack gap="sm" component="form" onSubmit={send}>
      {notes.map(({ byOwner, text: said, at }) => (
        <div key={`${at}${said}`}>
          <Text size="sm" c="dimmed">
            {byOwner === isOwner ? t`You` : <bdi>{other}</bdi>}, {dayInWords(at, now)}
          </Text>
          <Text dir="auto" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
            {said}
          </Text>
        </div>
      ))}
      <Textarea
        label={t`Note to ${other}`}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={LIMITS.longestMessage}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Group>
        <Button type="submit" variant="default" size="sm" loading={busy} disabled={!text.trim()}>
          {t`Send`}
        </Button>
      </Group>
    </Stack>
  )
}
