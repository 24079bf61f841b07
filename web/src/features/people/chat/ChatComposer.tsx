import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Group, Text, Textarea } from '@mantine/core'
import { IconSend2 } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { type Risk, riskIn } from '#domain/risky-text.ts'
import { announce } from '#ui/announce.ts'
import classes from './ChatComposer.module.css'
import { useSendMessage } from './chat.mutations.ts'
import type { ChatParties } from './chat.queries.ts'
import { DraftCard } from './DraftCard.tsx'
import { giveBack, useDraft } from './drafts.ts'
import { type MessageDraft, useMessageDraft } from './message-drafts.ts'
import { canSend, characters, LONGEST_MESSAGE, newMessageId, toSend } from './message-text.ts'
import { RiskNotice } from './RiskNotice.tsx'

/** The message length from which the number of characters is shown. */
const COUNTED_FROM = 800

interface ChatComposerProps {
  conversationId: string
  parties: ChatParties
  /** True if the conversation is a question: the member has no place yet, and cannot open the plan's page. */
  isQuestion: boolean
  userId: string
  name: string
  /** True while a message is being sent; no other message can be sent meanwhile. */
  sending: boolean
}

/** The message input: Enter sends, Shift+Enter starts a new line. */
export function ChatComposer({
  conversationId,
  parties,
  isQuestion,
  userId,
  name,
  sending,
}: ChatComposerProps) {
  const [draft, setDraft] = useDraft(userId, conversationId)
  const left = useMessageDraft(conversationId)
  // The id of the program's draft whose text is in the input or being sent.
  const [taken, setTaken] = useDraft(userId, `taken in ${conversationId}`)
  const isTaken = left?.id === taken
  const [held, setHeld] = useState<{ risk: Risk; offer: MessageDraft | null } | null>(null)
  const { mutate: send } = useSendMessage(conversationId)
  const field = useRef<HTMLTextAreaElement>(null)
  // The input may not have existed when the dialog set the focus.
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  const ready = canSend(draft) && !sending
  const length = characters(toSend(draft))
  const over = Math.max(0, length - LONGEST_MESSAGE)
  const tooLong = over > 0
  useEffect(() => {
    if (tooLong) announce(t`This message is too long`)
  }, [tooLong])

  /**
   * Sends the text in the input or, given `offer`, that draft unchanged. `isMeant` skips the check for sensitive data.
   */
  const submit = (offer: MessageDraft | null, isMeant = false) => {
    const text = toSend(offer ? offer.content : draft)
    if (sending || !canSend(text)) return
    const risk = isMeant ? null : riskIn(text, location.host)
    setHeld(risk && { risk, offer })
    if (risk) return
    if (offer) setTaken(offer.id)
    else setDraft('')
    const id = offer?.id ?? (isTaken ? taken : newMessageId())
    send({ id, conversationId, senderId: userId, text })
  }
  const edit = (offer: MessageDraft | null) => {
    setHeld(null)
    if (offer) {
      setTaken(offer.id)
      giveBack(userId, conversationId, offer.content)
    }
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter also ends the composition of a Japanese or Chinese word, which must not send the message.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    submit(null)
  }

  return (
    <form
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault()
        submit(null)
      }}
    >
      {left && !(isTaken && (sending || draft !== '')) && (
        <DraftCard
          conversationId={conversationId}
          draft={left}
          busy={sending}
          onSend={() => submit(left)}
          onEdit={() => edit(left)}
        />
      )}
      {held && (
        <RiskNotice
          risk={held.risk}
          better={betterPlace(held.risk, parties, userId, isQuestion)}
          onSend={() => {
            submit(held.offer, true)
            field.current?.focus()
          }}
          onKeep={() => edit(held.offer)}
        />
      )}
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <Textarea
          ref={field}
          flex={1}
          autosize
          minRows={1}
          maxRows={5}
          dir="auto"
          placeholder={t`Message ${name}`}
          aria-label={t`Message ${name}`}
          error={tooLong && t`${plural(over, { one: '# character', other: '# characters' })} too many`}
          value={draft}
          onChange={(event) => {
            setDraft(event.currentTarget.value)
            setHeld(null)
          }}
          onKeyDown={onKeyDown}
          data-autofocus
        />
        <ActionIcon
          type="submit"
          variant="filled"
          color="clay"
          aria-label={t`Send message`}
          disabled={!ready}
        >
          <IconSend2 size={22} />
        </ActionIcon>
      </Group>
      {length >= COUNTED_FROM && (
        <Text className={classes.counter} data-over={tooLong || undefined}>
          <Trans>
            {length}/{LONGEST_MESSAGE} characters
          </Trans>
        </Text>
      )}
    </form>
  )
}

/**
 * Returns the place where the data belongs: the plan's vault for a password, the payment pages for a bank account or
 * card.
 */
function betterPlace(risk: Risk, { planId, ownerId }: ChatParties, userId: string, isQuestion: boolean) {
  const mine = ownerId === userId
  if (isQuestion && !mine) return undefined
  if (risk === 'password')
    return {
      label: mine ? t`Save it in the vault` : t`Open the plan`,
      href: mine
        ? `/manage-shared/${encodeURIComponent(planId)}?section=access`
        : `/manage-subscribed/${encodeURIComponent(planId)}`,
    }
  if (risk === 'iban')
    return mine
      ? { label: t`Go to payment details`, href: '/account-settings/money' }
      : { label: t`See your payments`, href: '/payments' }
  return risk === 'card' ? { label: t`Save a card`, href: '/cards' } : undefined
}
