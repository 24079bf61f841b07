import { ActionIcon, Group, Text, Textarea } from '@mantine/core'
import { IconSend2 } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import classes from './ChatComposer.module.css'
import { useSendMessage } from './chat.mutations.ts'
import { useDraft } from './drafts.ts'
import { canSend, characters, LONGEST_MESSAGE, newMessageId, toSend } from './message-text.ts'

interface ChatComposerProps {
  conversationId: string
  userId: string
  name: string
  /** A message is on its way; the next one waits for it. */
  sending: boolean
}

/** Where a message is written: Enter sends, Shift+Enter starts a line. */
export function ChatComposer({ conversationId, userId, name, sending }: ChatComposerProps) {
  const [draft, setDraft] = useDraft(userId, conversationId)
  const counter = useId()
  const { mutate: send } = useSendMessage(conversationId)
  const field = useRef<HTMLTextAreaElement>(null)
  // When the dialog took focus there may have been nothing to write in yet.
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  const ready = canSend(draft) && !sending
  const length = characters(toSend(draft))

  const submit = () => {
    if (!ready) return
    setDraft('')
    send({ id: newMessageId(), conversationId, senderId: userId, text: toSend(draft) })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also ends the composition of a Japanese or Chinese word; that is not yet a message.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    submit()
  }

  return (
    <form
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <Textarea
          ref={field}
          flex={1}
          autosize
          minRows={1}
          maxRows={5}
          dir="auto"
          placeholder={`Message ${name}`}
          aria-label={`Message ${name}`}
          aria-describedby={counter}
          error={length > LONGEST_MESSAGE}
          value={draft}
          onChange={(event) => setDraft(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          data-autofocus
        />
        <ActionIcon type="submit" variant="filled" color="clay" aria-label="Send message" disabled={!ready}>
          <IconSend2 size={22} />
        </ActionIcon>
      </Group>
      <Text id={counter} className={classes.counter} data-over={length > LONGEST_MESSAGE || undefined}>
        {length}/{LONGEST_MESSAGE} characters
      </Text>
    </form>
  )
}
