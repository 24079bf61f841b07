import { t } from '@lingui/core/macro'
import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { BlockedNotice } from '#features/people/blocks/BlockPerson.tsx'
import { blockedQuery } from '#features/people/blocks/blocks.queries.ts'
import { Level } from '#features/people/person/Level.tsx'
import { ChatAside } from '#features/trust/problems/ChatAside.tsx'
import { NOT_FOUND, toAppError } from '#lib/errors.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Mascot } from '#ui/Mascot.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { usePhone } from '#ui/use-phone.ts'
import classes from './ChatDialog.module.css'
import { ConversationView } from './ConversationView.tsx'
import { chatTexts, dialogText } from './chat.messages.ts'
import { type ChatPartner, conversationQuery, MOST_RETRIES } from './chat.queries.ts'

interface ChatDialogProps {
  /** Null closes the dialog. */
  partner: ChatPartner | null
  userId: string
  onClose: () => void
}

/** The chat between a plan's owner and one member, with a way to report a problem; fills the screen on a phone. */
export function ChatDialog({ partner, userId, onClose }: ChatDialogProps) {
  const phone = usePhone()
  const { data: blocked } = useQuery({ ...blockedQuery, enabled: partner !== null })
  const parties = partner?.parties
  const partnerId = parties?.ownerId === userId ? parties.memberId : (parties?.ownerId ?? '')
  const isBlocked = blocked?.some((one) => one.userId === partnerId)
  return (
    <Dialog
      opened={partner !== null}
      onClose={onClose}
      fullScreen={phone}
      size={520}
      padding={0}
      closeButtonProps={{ 'aria-label': t`Close chat`, size: 44 }}
      classNames={{
        content: classes.content,
        header: classes.header,
        body: classes.body,
        title: classes.title,
      }}
      data-phone={phone || undefined}
      title={
        partner && (
          <Group gap="sm" wrap="nowrap">
            <PersonAvatar name={partner.name} src={partner.avatarUrl} size={40} />
            <Stack gap={0} miw={0}>
              <Text inherit truncate>
                <PersonLink truncate userId={partnerId} name={partner.name} onFollow={onClose} />
              </Text>
              <Text size="sm" c="dimmed" ff="text" fw={400} truncate>
                {partner.planName}
              </Text>
            </Stack>
            <Level userId={partnerId} name={partner.name} />
          </Group>
        )
      }
    >
      {partner && (
        <>
          <ChatConnection
            partner={partner}
            userId={userId}
            closed={isBlocked && <BlockedNotice userId={partnerId} name={partner.name} />}
          />
          <ChatAside parties={partner.parties} userId={userId} onLeave={onClose} />
        </>
      )}
    </Dialog>
  )
}

interface ChatConnectionProps {
  partner: ChatPartner
  userId: string
  closed: ReactNode
}

/** Loads or creates the conversation, with a loading state and a retry button. */
function ChatConnection({ partner: { parties, name }, userId, closed }: ChatConnectionProps) {
  const { data: conversation, error, isFetching, refetch } = useQuery(conversationQuery(parties))
  const [retries, setRetries] = useState(0)

  if (error && toAppError(error).code === NOT_FOUND)
    // The plan has ended, perhaps while the chat was open, and its conversation was deleted with it.
    return (
      <Trouble title={chatTexts.gone}>
        <Text c="dimmed">{chatTexts.goneWhy}</Text>
      </Trouble>
    )
  if (conversation) return <ConversationView {...{ parties, conversation, userId, name, closed }} />
  if (isFetching)
    return (
      <Stack align="center" justify="center" gap="sm" flex={1} role="status">
        <Loader type="dots" />
        <Text c="dimmed">{chatTexts.connecting}</Text>
      </Stack>
    )
  return (
    <Trouble title={chatTexts.failed}>
      {error && <Text c="dimmed">{dialogText(error)}</Text>}
      {retries >= MOST_RETRIES ? (
        <Text c="dimmed">{chatTexts.afterRetries}</Text>
      ) : (
        <Button
          onClick={() => {
            setRetries(retries + 1)
            void refetch()
          }}
        >
          {t`Retry`}
        </Button>
      )}
    </Trouble>
  )
}

const Trouble = ({ title, children }: { title: string; children: ReactNode }) => (
  <Stack align="center" justify="center" gap="sm" flex={1} p="lg" ta="center" role="alert">
    <Mascot size={96} />
    <Text fw={600}>{title}</Text>
    {children}
  </Stack>
)
