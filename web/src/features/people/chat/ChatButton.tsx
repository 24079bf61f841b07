import { t } from '@lingui/core/macro'
import { ActionIcon, Button, Indicator } from '@mantine/core'
import { IconMessageCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ChatPartner, unreadQuery } from './chat.queries.ts'

interface ChatButtonProps {
  partner: ChatPartner
  userId: string
  onChat: (partner: ChatPartner) => void
  /** The purpose of the chat, shown beside the icon. */
  label?: string
  /** True to show the label to screen readers only. */
  quiet?: boolean
}

/** Opens the chat with one person; a dot marks unread messages. */
export function ChatButton({ partner, userId, onChat, label, quiet = false }: ChatButtonProps) {
  const { parties, name } = partner
  const { data: unread } = useQuery(unreadQuery(userId))
  const isUnread = unread?.some(
    ({ subscriptionId, memberId }) => subscriptionId === parties.planId && memberId === parties.memberId,
  )
  const what = label ? t`${label}: chat with ${name}` : t`Chat with ${name}`
  const action = {
    'aria-label': isUnread ? t`${what}, unread messages` : what,
    onClick: () => onChat(partner),
  }
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
