import { ActionIcon, Indicator, Popover } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMessages } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cappedCount } from '#ui/CountBadge.tsx'
import { ChatDialog } from './ChatDialog.tsx'
import { ConversationList } from './ConversationList.tsx'
import { useUnreadLive } from './chat.live.ts'
import { type ChatPartner, unreadQuery } from './chat.queries.ts'

/** How many conversations wait to be read, and the way into each (CHAT-09). Mounted once, it keeps every unread mark live. */
export function ChatInbox({ userId }: { userId: string }) {
  const [opened, popover] = useDisclosure(false)
  const [partner, setPartner] = useState<ChatPartner | null>(null)
  const { data: unread = [] } = useQuery(unreadQuery(userId))
  useUnreadLive(userId)
  const label = unread.length === 0 ? 'Messages' : `Messages, ${unread.length} unread`

  return (
    <>
      <Popover
        opened={opened}
        onChange={popover.toggle}
        position="bottom-end"
        width="min(380px, calc(100vw - 24px))"
        withinPortal={false}
        trapFocus
        returnFocus
      >
        <Indicator
          label={cappedCount(unread.length)}
          size={18}
          offset={8}
          color="clay"
          disabled={unread.length === 0}
        >
          <Popover.Target>
            <ActionIcon onClick={popover.toggle} aria-label={label}>
              <IconMessages size={22} />
            </ActionIcon>
          </Popover.Target>
        </Indicator>
        <Popover.Dropdown p={0} style={{ overflow: 'hidden' }}>
          <ConversationList
            userId={userId}
            onOpen={(chosen) => {
              popover.close()
              setPartner(chosen)
            }}
          />
        </Popover.Dropdown>
      </Popover>
      <ChatDialog partner={partner} userId={userId} onClose={() => setPartner(null)} />
    </>
  )
}
