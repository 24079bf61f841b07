import { IconMessages } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { BadgePopover } from '#ui/BadgePopover.tsx'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { ConversationList } from './ConversationList.tsx'
import { useUnreadLive } from './chat.live.ts'
import { type ChatPartner, unreadQuery } from './chat.queries.ts'

interface ChatInboxProps {
  userId: string
  /** The chat with the chosen partner; null closes it. */
  dialog: (partner: ChatPartner | null, close: () => void) => ReactNode
}

/** How many conversations are unread, and the way into each. Mounted once, it keeps every unread mark live. */
export function ChatInbox({ userId, dialog }: ChatInboxProps) {
  const [partner, setPartner] = useState<ChatPartner | null>(null)
  const { data: unread = [] } = useQuery(unreadQuery(userId))
  useUnreadLive(userId)

  return (
    <>
      <BadgePopover icon={<IconMessages size={22} />} label="Messages" count={unread.length}>
        {(close) => (
          <ConversationList
            userId={userId}
            onOpen={(chosen) => {
              close()
              setPartner(chosen)
            }}
          />
        )}
      </BadgePopover>
      <LazyDialog opened={partner !== null}>
        {(opened) => dialog(opened ? partner : null, () => setPartner(null))}
      </LazyDialog>
    </>
  )
}
