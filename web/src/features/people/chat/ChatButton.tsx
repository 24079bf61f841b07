import { t } from '@lingui/core/macro'
import { ActionIcon, Button, Indicator } from '@mantine/core'
import { IconMessageCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ChatParties, unreadQuery } from './chat.queries.ts'

interface ChatButtonProps {
  parties: ChatParties
  userId: string
  /** The name of the other person. */
  name: string
  onOpen: () => void
  /** The label beside the icon. */
  label?: string
  /** Shows the label to screen readers only. */
  quiet?: boolean
}

/** Opens the chat with one person; a dot marks unread messages. */
export function ChatButton({ parties, userId, name, onOpen, label, quiet = false }: ChatButtonProps) {
  const { data: unread } = useQuery(unreadQuery(userId))
  const isUnread = unread?.some(
    ({ subscriptionId, memberId }) => subscriptionId === parties.planId && memberId === parties.memberId,
  )
  const what = label ? t`${label}: chat with ${name}` : t`Chat with ${name}`
  const action = { 'aria-label': isUnread ? t`${what}, unread messages` : what, onClick: onOpen }
  return (
    <Indicator disabled={!isUnread} color="clay" size={12} offset={8} withBorder w="fit-content">
      {label && !quiet ? (
        <Button {...action} variant="subtle" leftSection={<IconMessageCircle size={20} aria-hidden />}>
          {label}
        </Button>
      ) : (
        <ActionIcon {...action} variant="light" color="clay">
          <IconMessageCircle size={22} />
        </ActionIcon>
      )}
    </Indicator>
  )
}
