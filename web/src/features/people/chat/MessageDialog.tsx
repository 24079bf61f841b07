import { Text, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type Risk, riskIn } from '#domain/risky-text.ts'
import { ActionForm } from '#ui/ActionForm.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { canSend, characters, LONGEST_MESSAGE, toSend } from './message-text.ts'
import { RiskNotice } from './RiskNotice.tsx'

interface MessageDialogProps {
  opened: boolean
  onClose: () => void
  title: string
  /** A sentence about the message's readers. */
  children: ReactNode
  label: string
  /** Returns the text about the number of characters and the maximum. */
  count: (length: number) => string
  action: string
  cancelLabel: string
  /** The mutation that sends the message. */
  change: { mutate: (text: string, then: { onSuccess: () => void }) => void; isPending: boolean }
}

/** A dialog to write a message outside a chat. The text is kept until it has been sent. */
export default function MessageDialog({ opened, onClose, title, children, ...rest }: MessageDialogProps) {
  const { label, count, action, cancelLabel, change } = rest
  const [draft, setDraft] = useState('')
  const [risk, setRisk] = useState<Risk | null>(null)
  const close = () => change.isPending || onClose()
  const text = toSend(draft)
  const length = characters(text)
  const submit = (isMeant = false) => {
    if (!canSend(draft) || change.isPending) return
    const found = isMeant ? null : riskIn(text, location.host)
    setRisk(found)
    if (!found) change.mutate(text, { onSuccess: () => setDraft('') })
  }
  return (
    <Dialog opened={opened} onClose={close} title={title}>
      <ActionForm
        action={action}
        busy={change.isPending}
        disabled={!canSend(draft)}
        onSubmit={submit}
        cancelLabel={cancelLabel}
        onCancel={close}
      >
        <Text c="dimmed">{children}</Text>
        <Textarea
          label={label}
          description={count(length)}
          inputWrapperOrder={['label', 'input', 'description']}
          autosize
          minRows={3}
          maxRows={8}
          dir="auto"
          error={length > LONGEST_MESSAGE}
          value={draft}
          onChange={({ currentTarget }) => {
            setDraft(currentTarget.value)
            setRisk(null)
          }}
          data-autofocus
        />
        {risk && <RiskNotice risk={risk} onSend={() => submit(true)} onKeep={() => setRisk(null)} />}
      </ActionForm>
    </Dialog>
  )
}
