import { ActionIcon, Group, Text, Textarea } from '@mantine/core'
import { IconSend2 } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useState } from 'react'
import classes from './ChatComposer.module.css'
import { useSendMessage } from './chat.mutations.ts'
import { canSend, characters, LONGEST_MESSAGE, newMessageId } from './message-text.ts'

interface ChatComposerProps {
  conversationId: string
  userId: string
  name: string
}

/** Where a message is written: Enter sends, Shift+Enter starts a line (CHAT-11, VALID-15). */
export function ChatComposer({ conversationId, userId, name }: ChatComposerProps) {
  const [draft, setDraft] = useState('')
  const counter = useId()
  const send = useSendMessage((text) => setDraft((typed) => (typed ? `${text}\n${typed}` : text)))
  const ready = canSend(draft) && !send.isPending
  const length = characters(draft.trim())

  const submit = () => {
    if (!ready) return
    send.mutate({ id: newMessageId(), conversationId, senderId: userId, text: draft.trim() })
    setDraft('')
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
          flex={1}
          autosize
          minRows={1}
          maxRows={5}
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
