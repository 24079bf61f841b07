import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type Risk, riskIn } from '#domain/risky-text.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { useAnnounce } from './chat.mutations.ts'
import { canSend, characters, LONGEST_MESSAGE, toSend } from './message-text.ts'
import { RiskNotice } from './RiskNotice.tsx'

interface AnnounceDialogProps {
  planId: string
  opened: boolean
  onClose: () => void
}

/** One message from the owner, which arrives in the chat with each member. */
export default function AnnounceDialog({ planId, opened, onClose }: AnnounceDialogProps) {
  const [draft, setDraft] = useState('')
  const [risk, setRisk] = useState<Risk | null>(null)
  const announce = useAnnounce(planId, () => {
    setDraft('')
    onClose()
  })
  const text = toSend(draft)
  const length = characters(text)
  const submit = (isMeant = false) => {
    if (!canSend(draft) || announce.isPending) return
    const found = isMeant ? null : riskIn(text, location.host)
    setRisk(found)
    if (!found) announce.mutate(text)
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit()
  }
  return (
    <Dialog opened={opened} onClose={() => announce.isPending || onClose()} title="Write to all members">
      <form onSubmit={onSubmit}>
        <Stack gap="md">
          <Text c="dimmed">It arrives in your chat with each member. What they answer, only you read.</Text>
          <Textarea
            label="Message"
            description={`${length} of ${LONGEST_MESSAGE} characters`}
            inputWrapperOrder={['label', 'input', 'description']}
            autosize
            minRows={3}
            maxRows={8}
            dir="auto"
            error={length > LONGEST_MESSAGE}
            value={draft}
            onChange={(event) => {
              setDraft(event.currentTarget.value)
              setRisk(null)
            }}
            data-autofocus
          />
          {risk && <RiskNotice risk={risk} onSend={() => submit(true)} onKeep={() => setRisk(null)} />}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={announce.isPending}>
              Not now
            </Button>
            <Button type="submit" loading={announce.isPending} disabled={!canSend(draft)}>
              Send to all
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
