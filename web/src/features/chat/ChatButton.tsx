import { ActionIcon, Indicator } from '@mantine/core'
import { IconMessageCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ChatParties, unreadQuery } from './chat.queries.ts'

interface ChatButtonProps {
  parties: ChatParties
  userId: string
  /** The name of the other person. */
  name: string
  onOpen: () => void
}

/** Opens the chat with one person; a dot says that they have written. */
export function ChatButton({ parties, userId, name, onOpen }: ChatButtonProps) {
  const { data: unread } = useQuery(unreadQuery(userId))
  const isUnread = unread?.some(
    ({ planId, memberId }) => planId === parties.planId && memberId === parties.memberId,
  )
  return (
    <Indicator disabled={!isUnread} color="clay" size={12} offset={8} withBorder>
      <ActionIcon
        variant="light"
        color="clay"
        aria-label={isUnread ? `Chat with ${name}, unread messages` : `Chat with ${name}`}
        onClick={onOpen}
      >
        <IconMessageCircle size={22} />
      </ActionIcon>
    </Indicator>
  )
}
