import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useState } from 'react'
import { counted } from '#domain/plural.ts'
import { type Risk, riskIn } from '#domain/risky-text.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { useAskQuestion } from './chat.mutations.ts'
import { canSend, characters, LONGEST_MESSAGE, toSend } from './message-text.ts'
import { RiskNotice } from './RiskNotice.tsx'

interface QuestionDialogProps {
  planId: string
  /** The plan's owner. */
  name: string
  opened: boolean
  onClose: () => void
  onSent: () => void
}

/** The first message to the owner of a plan the person is looking at. */
export default function QuestionDialog({ planId, name, opened, onClose, onSent }: QuestionDialogProps) {
  const [text, setText] = useState('')
  const [risk, setRisk] = useState<Risk | null>(null)
  const ask = useAskQuestion(planId, () => {
    setText('')
    onSent()
  })
  const close = () => ask.isPending || onClose()
  const length = characters(toSend(text))
  const submit = (isMeant = false) => {
    const found = isMeant ? null : riskIn(toSend(text), location.host)
    setRisk(found)
    if (!found) ask.mutate(toSend(text))
  }
  return (
    <Dialog opened={opened} onClose={close} title={`Ask ${name} a question`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap="md">
          <Text c="dimmed">
            {name} sees your name and answers in a chat. It closes after{' '}
            {counted(LIMITS.questionLifetimeHours / 24, 'day')}, unless you ask for a place.
          </Text>
          <Textarea
            label="Your question"
            description={`${length}/${LONGEST_MESSAGE} characters`}
            inputWrapperOrder={['label', 'input', 'description']}
            autosize
            minRows={3}
            maxRows={8}
            dir="auto"
            error={length > LONGEST_MESSAGE}
            value={text}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value)
              setRisk(null)
            }}
            data-autofocus
          />
          {risk && <RiskNotice risk={risk} onSend={() => submit(true)} onKeep={() => setRisk(null)} />}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close} disabled={ask.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={ask.isPending} disabled={!canSend(text)}>
              Send question
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
